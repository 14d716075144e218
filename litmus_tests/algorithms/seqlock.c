/* A sequence lock: a reader takes what it read only if no writer was there. */
#include "orders.h"
#ifndef BEGIN
#define BEGIN rel
#endif
#ifndef END
#define END acq
#endif
atomic_int sequence, a, b;
static void *write(void *unused) {
  store(&sequence, 1, rlx);
  fence(BEGIN);
  store(&a, 1, rlx);
  store(&b, 1, rlx);
  store(&sequence, 2, rel);
  return 0;
}
static void *read(void *unused) {
  int before = load(&sequence, acq);
  int x = load(&a, rlx), y = load(&b, rlx);
  fence(END);
  if (!(before & 1) && load(&sequence, rlx) == before)
    assert(x == y);
  return 0;
}
int main(void) {
  thread t, u;
  start(t, write, 0);
  start(u, read, 0);
}
