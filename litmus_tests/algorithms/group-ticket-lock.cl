/* A ticket lock between workgroups. */
#ifndef UNLOCK
#define UNLOCK memory_order_release
#endif
#ifndef SCOPE
#define SCOPE memory_scope_device
#endif
global atomic_int next, serving;
global int count;
kernel void lock(int unused) {
  int mine = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed, SCOPE);
  while (atomic_load_explicit(&serving, memory_order_acquire, SCOPE) != mine) {
  }
  count++;
  atomic_store_explicit(&serving, mine + 1, UNLOCK, SCOPE);
}
