/* A condition variable of POSIX: a thread sleeps until the data are there. */
#include "orders.h"
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
int data, full;
static void *fill(void *unused) {
  data = 1;
#ifdef UNLOCKED
  full = 1;
#else
  pthread_mutex_lock(&mutex);
  full = 1;
  pthread_mutex_unlock(&mutex);
#endif
#ifndef SILENT
  pthread_cond_signal(&filled);
#endif
  return 0;
}
int main(void) {
  thread a;
  start(a, fill, 0);
  pthread_mutex_lock(&mutex);
  while (!full)
    pthread_cond_wait(&filled, &mutex);
  pthread_mutex_unlock(&mutex);
  assert(data == 1);
  wait_for(a);
}
