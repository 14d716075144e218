/* A mutex and a barrier of POSIX from their initialization to their end. */
#include "orders.h"
pthread_mutex_t mutex;
pthread_barrier_t barrier;
int count;
static void *work(void *unused) {
#ifndef OPEN
  pthread_mutex_lock(&mutex);
#endif
  count++;
  pthread_mutex_unlock(&mutex);
  pthread_barrier_wait(&barrier);
  return 0;
}
int main(void) {
  thread a;
  pthread_mutex_init(&mutex, 0);
  pthread_barrier_init(&barrier, 0, 2);
#ifdef TWICE
  pthread_barrier_init(&barrier, 0, 2);
#endif
  start(a, work, 0);
#ifdef EARLY
  pthread_mutex_destroy(&mutex);
#endif
#ifdef BLOCKED
  pthread_barrier_destroy(&barrier);
#endif
  pthread_barrier_wait(&barrier);
  pthread_barrier_destroy(&barrier);
  pthread_mutex_destroy(&mutex);
  wait_for(a);
  assert(count == 1);
}
