/* Treiber's stack: one thread pushes a node from the heap, one pops it. */
#include "orders.h"
#ifndef PUSH
#define PUSH rel
#endif
#ifndef POP
#define POP acq
#endif
struct node {
  long value;
  struct node *next;
};
_Atomic(struct node *) top;
long found;
static void *push(void *value) {
  struct node *node = malloc(sizeof *node);
  node->value = (long)value;
  node->next = load(&top, rlx);
  while (!cas(&top, &node->next, node, PUSH, rlx)) {
  }
  return 0;
}
static void *pop(void *unused) {
  struct node *node = load(&top, POP);
  if (node && cas(&top, &node, node->next, rlx, rlx)) {
    found = node->value;
    free(node);
  }
  return 0;
}
int main(void) {
  thread a, b;
  start(a, push, 7);
  start(b, pop, 0);
}
