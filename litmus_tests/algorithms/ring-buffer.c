/* A ring buffer of one element between one producer and one consumer, used twice. */
#include "orders.h"
#ifndef FILL
#define FILL rel
#endif
#ifndef EMPTY
#define EMPTY rel
#endif
atomic_int head, tail;
int slot, sum;
static void *produce(void *unused) {
  for (int n = 0; n < 2; n++) {
    while (load(&head, acq) != n) {
    }
    slot = n + 1;
    store(&tail, n + 1, FILL);
  }
  return 0;
}
static void *consume(void *unused) {
  for (int n = 0; n < 2; n++) {
    while (load(&tail, acq) != n + 1) {
    }
    sum += slot;
    store(&head, n + 1, EMPTY);
  }
  return 0;
}
int main(void) {
  thread a, b;
  start(a, produce, 0);
  start(b, consume, 0);
  wait_for(a);
  wait_for(b);
  assert(sum == 3);
}
