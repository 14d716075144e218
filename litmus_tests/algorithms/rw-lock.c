/* A lock of many readers or one writer, in one word: its readers, or -1. */
#include "orders.h"
#ifndef READ
#define READ acq
#endif
#ifndef LEAVE
#define LEAVE rel
#endif
atomic_int state;
int value, found;
static void *write(void *unused) {
  for (int free = 0; !cas(&state, &free, -1, acq, rlx); free = 0) {
  }
  value = 1;
  store(&state, 0, rel);
  return 0;
}
static void *read(void *unused) {
  int seen = load(&state, rlx);
  if (seen >= 0 && cas(&state, &seen, seen + 1, READ, rlx)) {
    found = value;
    add(&state, -1, LEAVE);
  }
  return 0;
}
int main(void) {
  thread a, b;
  start(a, write, 0);
  start(b, read, 0);
  wait_for(a);
  wait_for(b);
  assert(found <= 1);
}
