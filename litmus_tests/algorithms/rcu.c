/* Publication of a new version by a pointer; the old one is freed when its reader has left. */
#include "orders.h"
#ifndef PUBLISH
#define PUBLISH rel
#endif
#ifndef LEFT
#define LEFT rel
#endif
_Atomic(int *) current;
atomic_int left;
int found;
static void *read(void *unused) {
  int *seen = load(&current, acq);
  if (seen)
    found = *seen;
  store(&left, 1, LEFT);
  return 0;
}
int main(void) {
  int *old = malloc(sizeof *old), *new = malloc(sizeof *new);
  thread reader;
  *old = 1;
  store(&current, old, rel);
  start(reader, read, 0);
  *new = 2;
  store(&current, new, PUBLISH);
#ifndef HURRY
  while (!load(&left, acq)) {
  }
#endif
  free(old);
}
