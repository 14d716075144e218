/* Test and test-and-set: who reads that the lock is free tries to take it, and reads again where another was faster. */
#include "orders.h"
#ifndef LOCK
#define LOCK acq
#endif
#ifndef UNLOCK
#define UNLOCK rel
#endif
atomic_int lock;
int count;
static void *work(void *unused) {
  while (load(&lock, rlx))
    ;
  if (swap(&lock, 1, LOCK))
    return 0; /* another was faster: gives up */
  count++;
  store(&lock, 0, UNLOCK);
  return 0;
}
int main(void) {
  thread a, b;
  start(a, work, 0);
  start(b, work, 0);
  wait_for(a);
  wait_for(b);
  assert(count >= 1 && count <= 2);
}
