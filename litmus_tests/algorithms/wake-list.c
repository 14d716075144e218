/* Threads that wait are listed under a mutex, each with a flag of its own; who has work wakes the first. */
#include "orders.h"
#ifndef WAKE
#define WAKE rel
#endif
struct waiter {
  atomic_int go;
  int next, work;
} waiters[2];
int first;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int wake(int work) {
  pthread_mutex_lock(&mutex);
  int x = first;
  if (x) first = waiters[x - 1].next;
  pthread_mutex_unlock(&mutex);
  if (x) {
    waiters[x - 1].work = work;
    store(&waiters[x - 1].go, 1, WAKE);
  }
  return x;
}
static void *await(void *number) {
  int me = (int)(long)number;
  pthread_mutex_lock(&mutex);
  waiters[me].next = first;
  first = me + 1;
  pthread_mutex_unlock(&mutex);
  while (!load(&waiters[me].go, acq)) {
  }
  assert(waiters[me].work == 7);
#ifndef ALONE
  wake(7);
#endif
  return 0;
}
static void *begin(void *unused) {
  while (!wake(7)) {
  }
  return 0;
}
int main(void) {
  thread t[3];
  start(t[0], begin, 0);
  start(t[1], await, 0);
  start(t[2], await, 1);
  for (int i = 0; i < 3; i++) wait_for(t[i]);
}
