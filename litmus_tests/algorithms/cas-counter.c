/* A counter by compare-and-swap, which is repeated where it fails. */
#include "orders.h"
atomic_int count;
static void *work(void *unused) {
  int seen = load(&count, rlx);
#ifdef BLIND
  store(&count, seen + 1, rlx);
#elif defined(ONCE)
  cas(&count, &seen, seen + 1, rlx, rlx);
#else
  while (!cas(&count, &seen, seen + 1, rlx, rlx)) {
  }
#endif
  return 0;
}
int main(void) {
  thread a, b;
  start(a, work, 0);
  start(b, work, 0);
  wait_for(a);
  wait_for(b);
  assert(load(&count, rlx) == 2);
}
