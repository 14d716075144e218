// Message passing: a flag says that data is ready
// EXPECT: llvm=Never
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int flag;

void *producer(void *unused) {
  data = 1;
  atomic_store_explicit(&flag, 1, memory_order_release);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, producer, 0);
  if (atomic_load_explicit(&flag, memory_order_acquire))
    assert(data == 1);
  pthread_join(thread, 0);
}
