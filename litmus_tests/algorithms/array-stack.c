/* Treiber's stack of nodes that stand in an array: two threads push, one looks at what is there. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef PUSH
#define PUSH memory_order_release
#endif
#ifndef LOOK
#define LOOK memory_order_acquire
#endif

struct node {
  struct node *next;
  int value;
};

struct node nodes[2];
_Atomic(struct node *) top;

void *push(void *number) {
  struct node *node = &nodes[(long)number], *old = atomic_load_explicit(&top, memory_order_relaxed);
  node->value = 1;
  do
    node->next = old;
  while (!atomic_compare_exchange_weak_explicit(&top, &old, node, PUSH, memory_order_relaxed));
  return 0;
}

void *look(void *unused) {
  int found = 0, sum = 0;
  for (struct node *node = atomic_load_explicit(&top, LOOK); node; node = node->next, found++)
    sum += node->value;
  assert(sum == found);
  return 0;
}

int main(void) {
  pthread_t threads[3];
  for (long number = 0; number < 2; number++)
    pthread_create(&threads[number], 0, push, (void *)number);
  pthread_create(&threads[2], 0, look, 0);
  for (int number = 0; number < 3; number++)
    pthread_join(threads[number], 0);
  return 0;
}
