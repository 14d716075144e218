/* A barrier of POSIX between the writes of a slot and its reads by the other thread. */
#include "orders.h"
pthread_barrier_t barrier;
int slots[2];
static void *work(void *number) {
  int me = (long)number;
  slots[me] = 1;
#ifndef NONE
  pthread_barrier_wait(&barrier);
#endif
  assert(slots[1 - me] == 1);
  return 0;
}
int main(void) {
  thread a, b;
  pthread_barrier_init(&barrier, 0, 2);
  start(a, work, 0);
  start(b, work, 1);
}
