/* Hazard pointers: a reader announces what it is about to read, and a node that is announced is not freed. */
#include "orders.h"
#ifndef FENCE
#define FENCE sc
#endif
_Atomic(int *) shared, hazard;
int found;
static void *read(void *unused) {
  int *seen = load(&shared, acq);
  store(&hazard, seen, rlx);
  fence(FENCE);
  if (seen && load(&shared, acq) == seen)
    found = *seen;
  store(&hazard, 0, rel);
  return 0;
}
int main(void) {
  int *node = malloc(sizeof *node);
  thread reader;
  *node = 1;
  store(&shared, node, rel);
  start(reader, read, 0);
  store(&shared, 0, rlx);
  fence(FENCE);
  if (load(&hazard, acq) != node)
    free(node);
}
