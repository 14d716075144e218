/* A mutex of POSIX around a counter; a reader that does not take it. */
#include "orders.h"
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int count;
static void *work(void *unused) {
  pthread_mutex_lock(&mutex);
  count++;
  pthread_mutex_unlock(&mutex);
  return 0;
}
int main(void) {
  thread a, b;
  start(a, work, 0);
  start(b, work, 0);
#ifdef PEEK
  assert(count <= 2);
#else
  pthread_mutex_lock(&mutex);
  assert(count <= 2);
  pthread_mutex_unlock(&mutex);
#endif
  wait_for(a);
  wait_for(b);
#ifdef DEADLOCK
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
#endif
  assert(count == 2);
}
