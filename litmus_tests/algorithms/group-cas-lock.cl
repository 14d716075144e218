/* A lock by compare-and-swap between workgroups. */
#ifndef LOCK
#define LOCK memory_order_acquire
#endif
#ifndef UNLOCK
#define UNLOCK memory_order_release
#endif
#ifndef SCOPE
#define SCOPE memory_scope_device
#endif
global atomic_int held;
global int count;
kernel void lock(int unused) {
  int free = 0;
  while (!atomic_compare_exchange_strong_explicit(&held, &free, 1, LOCK, memory_order_relaxed, SCOPE))
    free = 0;
  count++;
  atomic_store_explicit(&held, 0, UNLOCK, SCOPE);
}
