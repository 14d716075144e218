/* The queue lock of Mellor-Crummey and Scott: each thread waits at a flag of its own. */
#include "orders.h"
#ifndef HAND
#define HAND rel
#endif
#ifndef TAIL
#define TAIL acq_rel
#endif
struct node {
  _Atomic(struct node *) next;
  atomic_int blocked;
};
struct node nodes[2];
_Atomic(struct node *) tail;
int count;
static void *work(void *number) {
  struct node *me = &nodes[(long)number];
  struct node *before = swap(&tail, me, TAIL);
  if (before) {
    store(&me->blocked, 1, rlx);
    store(&before->next, me, rel);
    while (load(&me->blocked, acq)) {
    }
  }
  count++;
  struct node *self = me;
  if (!load(&me->next, acq)) {
    if (cas(&tail, &self, 0, HAND, rlx))
      return 0;
    while (!load(&me->next, acq)) {
    }
  }
  store(&load(&me->next, rlx)->blocked, 0, HAND);
  return 0;
}
int main(void) {
  thread a, b;
  start(a, work, 0);
  start(b, work, 1);
  wait_for(a);
  wait_for(b);
  assert(count == 2);
}
