/* A ring buffer of two elements, whose ends keep the last count that they have seen of the other end's. */
#include "orders.h"
#ifndef FILL
#define FILL rel
#endif
#ifndef EMPTY
#define EMPTY rel
#endif
atomic_uint filled, emptied;
unsigned seen_emptied, seen_filled;
int slot[2], taken[3];
static void *produce(void *unused) {
  for (unsigned n = 0; n < 3;) {
    if (n - seen_emptied == 2) {
      seen_emptied = load(&emptied, acq);
      if (n - seen_emptied == 2) continue;
    }
    slot[n & 1] = n + 1;
    store(&filled, ++n, FILL);
  }
  return 0;
}
static void *consume(void *unused) {
  for (unsigned n = 0; n < 3;) {
    if (n == seen_filled) {
      seen_filled = load(&filled, acq);
      if (n == seen_filled) continue;
    }
    taken[n] = slot[n & 1];
    store(&emptied, ++n, EMPTY);
  }
  return 0;
}
int main(void) {
  thread a, b;
  start(a, produce, 0);
  start(b, consume, 0);
  wait_for(a);
  wait_for(b);
  assert(taken[0] == 1 && taken[1] == 2 && taken[2] == 3);
}
