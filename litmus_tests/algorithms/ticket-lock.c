/* A ticket lock: threads enter in the order in which they drew a number. */
#include "orders.h"
#ifndef WAIT
#define WAIT acq
#endif
#ifndef UNLOCK
#define UNLOCK rel
#endif
atomic_int next, serving;
int count;
static void *work(void *unused) {
  int mine = add(&next, 1, rlx);
  while (load(&serving, WAIT) != mine) {
  }
  count++;
  store(&serving, mine + 1, UNLOCK);
  return 0;
}
int main(void) {
  thread a, b;
  start(a, work, 0);
  start(b, work, 0);
  wait_for(a);
  wait_for(b);
  assert(count == 2);
}
