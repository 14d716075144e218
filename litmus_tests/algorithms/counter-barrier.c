/* A barrier by a counter: each thread writes its own slot, and then reads the other's. */
#include "orders.h"
#ifndef ARRIVE
#define ARRIVE acq_rel
#endif
#ifndef WAIT
#define WAIT acq
#endif
atomic_int arrived;
int slots[2];
static void *work(void *number) {
  int me = (long)number;
  slots[me] = 1;
  add(&arrived, 1, ARRIVE);
  while (load(&arrived, WAIT) != 2) {
  }
  assert(slots[1 - me] == 1);
  return 0;
}
int main(void) {
  thread a, b;
  start(a, work, 0);
  start(b, work, 1);
}
