/* A semaphore of POSIX counts what is in a buffer of two places; what is put in is written before. */
#include "orders.h"
#include <semaphore.h>
sem_t items;
int buffer[2];
static void *produce(void *unused) {
  buffer[0] = 1;
  sem_post(&items);
#ifdef EARLY
  sem_post(&items);
  buffer[1] = 2;
#else
  buffer[1] = 2;
  sem_post(&items);
#endif
  return 0;
}
int main(void) {
  thread a;
  sem_init(&items, 0, 0);
  start(a, produce, 0);
  sem_wait(&items);
  assert(buffer[0] == 1);
  sem_wait(&items);
  assert(buffer[1] == 2);
  wait_for(a);
}
