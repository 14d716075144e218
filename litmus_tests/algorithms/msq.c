/* The queue of Michael and Scott, without the helping of others: one thread puts a value in, one takes it. */
#include "orders.h"
#ifndef LINK
#define LINK rel
#endif
#ifndef FOLLOW
#define FOLLOW acq
#endif
struct node {
  _Atomic(struct node *) next;
  int value;
};
struct node dummy, first;
_Atomic(struct node *) head = &dummy, tail = &dummy;
static void *enqueue(void *unused) {
  struct node *last = load(&tail, acq), *nothing = 0;
  first.value = 7;
  if (cas(&last->next, &nothing, &first, LINK, rlx))
    cas(&tail, &last, &first, rel, rlx);
  return 0;
}
static void *dequeue(void *unused) {
  struct node *old = load(&head, acq), *next = load(&old->next, FOLLOW);
  if (next && cas(&head, &old, next, rel, rlx))
    assert(next->value == 7);
  return 0;
}
int main(void) {
  thread a, b;
  start(a, enqueue, 0);
  start(b, dequeue, 0);
}
