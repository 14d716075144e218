/* A lock of POSIX for many readers or one writer, around two counters that are equal. */
#include "orders.h"
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int x, y;
static void *read_both(void *unused) {
  pthread_rwlock_rdlock(&lock);
  assert(x == y);
  pthread_rwlock_unlock(&lock);
  return 0;
}
int main(void) {
  thread a, b;
  start(a, read_both, 0);
  start(b, read_both, 0);
#ifdef READS
  pthread_rwlock_rdlock(&lock);
#else
  pthread_rwlock_wrlock(&lock);
#endif
  x = 1;
  y = 1;
  pthread_rwlock_unlock(&lock);
  wait_for(a);
  wait_for(b);
}
