/* The entry of Dekker's lock: both say that they want to enter, and enter if the other does not. */
#include "orders.h"
#ifndef FENCE
#define FENCE sc
#endif
atomic_int wants[2];
int inside;
static void *work(void *number) {
  int me = (long)number;
  store(&wants[me], 1, rlx);
  fence(FENCE);
  if (!load(&wants[1 - me], acq))
    inside++;
  return 0;
}
int main(void) {
  thread a, b;
  start(a, work, 0);
  start(b, work, 1);
  wait_for(a);
  wait_for(b);
  assert(inside <= 1);
}
