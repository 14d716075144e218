/* A lock of many readers or one writer as Linux had it: each takes its share of a bias, and gives it back where that is not enough. */
#include "orders.h"
#ifndef READ
#define READ acq
#endif
#ifndef LEAVE
#define LEAVE rel
#endif
#define BIAS 0x100
atomic_int left = BIAS;
int value, found;
static void *read(void *unused) {
  while (add(&left, -1, READ) <= 0) {
    add(&left, 1, rlx);
    while (load(&left, rlx) <= 0) {
    }
  }
  found = value;
  add(&left, 1, LEAVE);
  return 0;
}
static void *write(void *unused) {
  while (add(&left, -BIAS, acq) != BIAS) {
    add(&left, BIAS, rlx);
  }
  value++;
  add(&left, BIAS, rel);
  return 0;
}
int main(void) {
  thread a, b, c;
  start(a, write, 0);
  start(b, read, 0);
  start(c, write, 0);
  wait_for(a);
  wait_for(b);
  wait_for(c);
  assert(value == 2 && found <= 2);
}
