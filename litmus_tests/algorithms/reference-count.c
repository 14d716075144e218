/* A reference count: who gives the last reference back frees the object. */
#include "orders.h"
#ifndef DROP
#define DROP acq_rel
#endif
atomic_int references = 2;
int *object;
atomic_int sum;
static void *use(void *unused) {
  add(&sum, *object, rlx);
  if (add(&references, -1, DROP) == 1)
    free(object);
  return 0;
}
int main(void) {
  thread a;
  object = malloc(sizeof *object);
  *object = 1;
  start(a, use, 0);
  use(0);
}
