/* A hash table with open addressing: two threads insert keys that meet at one place. */
#include "orders.h"
atomic_int table[4];
static int insert(int key) {
  for (int place = key & 1;; place = (place + 1) & 3) {
    int empty = 0;
    if (cas(&table[place], &empty, key, rlx, rlx))
      return place;
#ifdef OVERWRITE
    store(&table[place], key, rlx);
    return place;
#endif
  }
}
static void *work(void *key) {
  insert((long)key);
  return 0;
}
int main(void) {
  thread a, b;
  start(a, work, 1);
  start(b, work, 3);
  wait_for(a);
  wait_for(b);
  assert(load(&table[1], rlx) + load(&table[2], rlx) == 4);
}
