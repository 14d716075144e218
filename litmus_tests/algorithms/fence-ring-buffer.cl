/* A ring buffer of one element between two workgroups: relaxed accesses, and fences that say which memory they order. */
#ifndef FILL
#define FILL CLK_GLOBAL_MEM_FENCE
#endif
#ifndef TAKE
#define TAKE CLK_GLOBAL_MEM_FENCE
#endif
#define load(p) atomic_load_explicit(p, memory_order_relaxed, memory_scope_device)
#define store(p, v) atomic_store_explicit(p, v, memory_order_relaxed, memory_scope_device)
#define fence(memory) atomic_work_item_fence(memory, memory_order_acq_rel, memory_scope_device)
global int slot;
global atomic_int head, tail;
global int sum;
kernel void pass(int unused) {
  if (get_group_id(0) == 0) {
    for (int n = 0; n < 2; n++) {
      while (load(&head) != n) {
      }
      fence(FILL);
      slot = n + 1;
      fence(FILL);
      store(&tail, n + 1);
    }
  } else {
    int found = 0;
    for (int n = 0; n < 2; n++) {
      while (load(&tail) != n + 1) {
      }
      fence(TAKE);
      found += slot;
      fence(TAKE);
      store(&head, n + 1);
    }
    sum = found;
  }
}
