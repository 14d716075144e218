/* A queue of jobs under a mutex, which the worker polls until it is told to stop. */
#include "orders.h"
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int jobs[2], given, taken, stop;
int sum;
static int take(void) {
  int job = 0;
#ifdef PEEK
  if (given == taken)
    return stop ? -1 : 0;
#endif
  pthread_mutex_lock(&mutex);
  if (taken < given)
    job = jobs[taken++];
  else if (stop)
    job = -1;
  pthread_mutex_unlock(&mutex);
  return job;
}
static void *work(void *unused) {
  int job;
  while ((job = take()) >= 0)
    if (job)
      sum += job;
  return 0;
}
static void give(int job) {
  pthread_mutex_lock(&mutex);
  jobs[given++] = job;
  pthread_mutex_unlock(&mutex);
}
int main(void) {
  thread worker;
  start(worker, work, 0);
#ifdef STOP_FIRST
  pthread_mutex_lock(&mutex);
  stop = 1;
  pthread_mutex_unlock(&mutex);
#endif
  give(1);
  give(2);
#ifndef STOP_FIRST
  pthread_mutex_lock(&mutex);
  stop = 1;
  pthread_mutex_unlock(&mutex);
#endif
  wait_for(worker);
  assert(sum == 3);
}
