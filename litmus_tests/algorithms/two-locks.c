/* Money goes from one account to another one, under both locks; who does not get the second one gives the first one back. */
#include "orders.h"
typedef struct {
  pthread_mutex_t mutex;
  int money;
} account;
account one = {PTHREAD_MUTEX_INITIALIZER, 2}, other = {PTHREAD_MUTEX_INITIALIZER, 2};
static void lock_both(account *first, account *second) {
  for (;;) {
    pthread_mutex_lock(&first->mutex);
#ifdef IN_TURN
    pthread_mutex_lock(&second->mutex);
    return;
#elif defined ANYWAY
    pthread_mutex_trylock(&second->mutex);
    return;
#else
    if (pthread_mutex_trylock(&second->mutex) == 0)
      return;
    pthread_mutex_unlock(&first->mutex);
#endif
  }
}
static void pay(account *from, account *to) {
  lock_both(from, to);
  from->money--;
  to->money++;
  pthread_mutex_unlock(&to->mutex);
  pthread_mutex_unlock(&from->mutex);
}
static void *pays(void *unused) {
  pay(&one, &other);
  return 0;
}
static void *pays_back(void *unused) {
  pay(&other, &one);
  return 0;
}
int main(void) {
  thread a, b;
  start(a, pays, 0);
  start(b, pays_back, 0);
  wait_for(a);
  wait_for(b);
  assert(one.money == 2 && other.money == 2);
}
