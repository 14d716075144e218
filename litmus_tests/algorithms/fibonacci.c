/* Two threads add what the other one has computed, three times each: how large can the numbers become? */
#include "orders.h"
#ifndef MOST
#define MOST 21
#endif
atomic_int i = 1, j = 1;
static void *left(void *unused) {
  for (int n = 0; n < 3; n++)
    store(&i, load(&i, rlx) + load(&j, rlx), rlx);
  return 0;
}
static void *right(void *unused) {
  for (int n = 0; n < 3; n++)
    store(&j, load(&j, rlx) + load(&i, rlx), rlx);
  return 0;
}
int main(void) {
  thread a, b;
  start(a, left, 0);
  start(b, right, 0);
  wait_for(a);
  wait_for(b);
  assert(load(&i, rlx) <= MOST && load(&j, rlx) <= MOST);
}
