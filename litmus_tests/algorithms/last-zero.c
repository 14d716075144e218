/* Threads fill an array, each from the place before its own; a reader looks for the last place that is empty. */
#include "orders.h"
#ifndef FILL
#define FILL rel
#endif
#ifndef LOOK
#define LOOK acq
#endif
atomic_int count[4];
int payload[4];
static void *fill(void *place) {
  long n = (long)place;
  payload[n] = 1;
  store(&count[n], load(&count[n - 1], rlx) + 1, FILL);
  return 0;
}
int main(void) {
  thread a, b;
  start(a, fill, 1);
  start(b, fill, 2);
  int last = 2;
  while (last > 0 && load(&count[last], LOOK) != 0)
    last--;
  assert(last == 2 || payload[last + 1] == 1);
}
