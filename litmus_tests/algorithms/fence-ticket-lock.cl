/* A ticket lock between workgroups: relaxed accesses, and fences that say which memory they order. */
#ifndef LOCK
#define LOCK CLK_GLOBAL_MEM_FENCE
#endif
#ifndef UNLOCK
#define UNLOCK CLK_GLOBAL_MEM_FENCE
#endif
#define fence(memory, order) atomic_work_item_fence(memory, order, memory_scope_device)
global atomic_int next, serving;
global int count;
kernel void lock(int unused) {
  int mine = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed, memory_scope_device);
  while (atomic_load_explicit(&serving, memory_order_relaxed, memory_scope_device) != mine) {
  }
  fence(LOCK, memory_order_acquire);
  count++;
  fence(UNLOCK, memory_order_release);
  atomic_store_explicit(&serving, mine + 1, memory_order_relaxed, memory_scope_device);
}
