/* A reader announces itself in a counter, and steps back where a writer has come first; the writer waits until none is announced. */
#include "orders.h"
#ifndef COUNT
#define COUNT sc
#endif
#ifndef LEAVE
#define LEAVE rel
#endif
atomic_int readers, writer;
int value, found;
static void *read(void *unused) {
  for (;;) {
    add(&readers, 1, COUNT);
    if (!load(&writer, COUNT))
      break;
    add(&readers, -1, rel);
    while (load(&writer, acq)) {
    }
  }
  found = value;
  add(&readers, -1, LEAVE);
  return 0;
}
static void *write(void *unused) {
  store(&writer, 1, sc);
  while (load(&readers, sc)) {
  }
  value = 1;
  store(&writer, 0, rel);
  return 0;
}
int main(void) {
  thread a, b;
  start(a, write, 0);
  start(b, read, 0);
  wait_for(a);
  wait_for(b);
  assert(value == 1 && found <= 1);
}
