/* The first steps of Szymanski's lock: who finds the door open goes in, who finds another one waiting lets it pass. */
#include "orders.h"
#ifndef FENCE
#define FENCE sc
#endif
atomic_int flag[2];
int inside;
static void *work(void *number) {
  int me = (long)number, seen;
  store(&flag[me], 1, rlx); /* wants to enter */
  fence(FENCE);
  if (load(&flag[1 - me], rlx) >= 3)
    return 0;
  store(&flag[me], 3, rlx); /* stands in the door */
  fence(FENCE);
  if (load(&flag[1 - me], rlx) == 1) {
    store(&flag[me], 2, rlx); /* waits for the other one to come in */
    fence(FENCE);
    if (load(&flag[1 - me], rlx) != 4)
      return 0;
  }
  store(&flag[me], 4, rlx); /* the door is shut */
  fence(FENCE);
  if (load(&flag[1 - me], acq) >= 2)
    return 0;
  inside++;
  fence(FENCE);
  seen = load(&flag[1 - me], rlx);
  if (seen == 2 || seen == 3)
    return 0;
  store(&flag[me], 0, rel);
  return 0;
}
int main(void) {
  thread a, b;
  start(a, work, 0);
  start(b, work, 1);
  wait_for(a);
  wait_for(b);
  assert(inside <= 2);
}
