/* A counter that each thread has for itself, added to a common one under a lock of C. */
#include "orders.h"
#include <threads.h>
_Thread_local int mine;
int total;
mtx_t mutex;
static int work(void *steps) {
  for (int n = 0; n < (long)steps; n++)
    mine++;
#ifdef UNLOCKED
  total += mine;
#else
  mtx_lock(&mutex);
  total += mine;
  mtx_unlock(&mutex);
#endif
  return mine;
}
int main(void) {
  thrd_t a, b;
  int x, y;
  mtx_init(&mutex, mtx_plain);
  thrd_create(&a, work, (void *)1);
  thrd_create(&b, work, (void *)2);
  thrd_join(a, &x);
  thrd_join(b, &y);
  assert(x == 1 && y == 2 && mine == 0 && total == 3);
}
