/* The deque of Chase and Lev with two tasks in it: its owner takes the second while a thief steals, twice.
   Orders: Le, Pop, Cohen, Zappa Nardelli: Correct and efficient work-stealing for weak memory models, PPoPP 2013. */
#include "orders.h"
#ifndef TAKE
#define TAKE sc
#endif
#ifndef STEAL
#define STEAL sc
#endif
atomic_int top, bottom = 2;
int taken, stolen;
static void *owner(void *unused) {
  store(&bottom, 1, rlx);
  fence(TAKE);
  int t = load(&top, rlx);
  if (t < 1) {
    taken = 1;
  } else {
    if (t == 1)
      taken = cas(&top, &t, 2, sc, rlx);
    store(&bottom, 2, rlx);
  }
  return 0;
}
static void *thief(void *unused) {
  for (int n = 0; n < 2; n++) {
    int t = load(&top, acq);
    fence(STEAL);
    if (t < load(&bottom, acq) && cas(&top, &t, t + 1, sc, rlx))
      stolen = t + 1;
  }
  return 0;
}
int main(void) {
  thread a, b;
  start(a, owner, 0);
  start(b, thief, 0);
  wait_for(a);
  wait_for(b);
  assert(!taken || stolen < 2);
}
