/* What comes before a thread's creation happens before it, and its end before the return of a join. */
#include "orders.h"
int argument, result;
static void *work(void *unused) {
  result = argument + 1;
  return 0;
}
int main(void) {
  thread t;
  argument = 6;
  start(t, work, 0);
#ifdef LATE
  argument = 6;
#endif
#ifndef DETACHED
  wait_for(t);
#endif
  assert(result == 7);
}
