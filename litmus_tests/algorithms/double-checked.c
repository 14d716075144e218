/* Double-checked initialization: a flag outside of the lock, and again inside. */
#include "orders.h"
#ifndef CHECK
#define CHECK acq
#endif
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
atomic_int ready;
int value;
static void *use(void *unused) {
  if (!load(&ready, CHECK)) {
    pthread_mutex_lock(&mutex);
    if (!load(&ready, rlx)) {
      value = 7;
      store(&ready, 1, rel);
    }
    pthread_mutex_unlock(&mutex);
  }
  assert(value == 7);
  return 0;
}
int main(void) {
  thread a, b;
  start(a, use, 0);
  start(b, use, 0);
}
