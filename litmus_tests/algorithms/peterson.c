/* Peterson's lock for two threads. */
#include "orders.h"
#ifndef ORDER
#define ORDER sc
#endif
#ifndef SEE
#define SEE ORDER
#endif
#ifndef LEAVE
#define LEAVE rel
#endif
atomic_int wants[2], turn;
int count;
static void *work(void *number) {
  int me = (long)number;
  store(&wants[me], 1, ORDER);
  store(&turn, 1 - me, ORDER);
  while (load(&wants[1 - me], SEE) & (load(&turn, SEE) == 1 - me)) {
  }
  count++;
  store(&wants[me], 0, LEAVE);
  return 0;
}
int main(void) {
  thread a, b;
  start(a, work, 0);
  start(b, work, 1);
  wait_for(a);
  wait_for(b);
  assert(count == 2);
}
