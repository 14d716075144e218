/* A dispatcher gives each of two workers a request, and takes their answers. */
#include "orders.h"
#ifndef ANSWER
#define ANSWER rel
#endif
atomic_int requests[2], answers[2];
int results[2];
static void *work(void *number) {
  int me = (long)number;
  while (!load(&requests[me], acq)) {
  }
  results[me] = me + 1;
  store(&answers[me], 1, ANSWER);
  return 0;
}
int main(void) {
  thread a, b;
  start(a, work, 0);
  start(b, work, 1);
  store(&requests[0], 1, rel);
  store(&requests[1], 1, rel);
  while (!load(&answers[0], acq)) {
  }
  while (!load(&answers[1], acq)) {
  }
  assert(results[0] + results[1] == 3);
}
