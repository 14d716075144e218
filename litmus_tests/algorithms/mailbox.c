/* A mailbox of one place: the receiver empties it once it has looked at what is in it, and then it is filled again. */
#include "orders.h"
#ifndef SEND
#define SEND rel
#endif
#ifndef EMPTY
#define EMPTY rel
#endif
int letter;
atomic_int full, read_so_far;
static void *sends(void *unused) {
  for (int i = 1; i <= 2; i++) {
    while (load(&full, acq))
      ;
    letter = i;
    store(&full, 1, SEND);
  }
  return 0;
}
static void *receives(void *unused) {
  for (int i = 1; i <= 2; i++) {
    while (!load(&full, acq))
      ;
    if (letter == i)
      add(&read_so_far, 1, rlx);
    store(&full, 0, EMPTY);
  }
  return 0;
}
int main(void) {
  thread a, b;
  start(a, sends, 0);
  start(b, receives, 0);
  wait_for(a);
  wait_for(b);
  assert(read_so_far == 2);
}
