/* A lock by compare-and-swap. */
#include "orders.h"
#ifndef LOCK
#define LOCK acq
#endif
#ifndef UNLOCK
#define UNLOCK rel
#endif
atomic_int held;
int count;
static void *work(void *unused) {
  for (int free = 0; !cas(&held, &free, 1, LOCK, rlx); free = 0) {
  }
  count++;
  store(&held, 0, UNLOCK);
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
