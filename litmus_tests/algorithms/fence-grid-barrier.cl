/* The same barrier by fences around relaxed accesses, as CUDA's __threadfence has it. */
#ifndef BEFORE
#define BEFORE memory_order_acq_rel
#endif
#ifndef AFTER
#define AFTER memory_order_acq_rel
#endif
#ifndef MEMORY
#define MEMORY CLK_GLOBAL_MEM_FENCE
#endif
global int slots[2];
global atomic_int arrived;
global int seen[2];
kernel void meet(int unused) {
  int me = get_group_id(0);
  slots[me] = 1;
  atomic_work_item_fence(MEMORY, BEFORE, memory_scope_device);
  atomic_fetch_add_explicit(&arrived, 1, memory_order_relaxed, memory_scope_device);
  while (atomic_load_explicit(&arrived, memory_order_relaxed, memory_scope_device) != 2) {
  }
  atomic_work_item_fence(MEMORY, AFTER, memory_scope_device);
  seen[me] = slots[1 - me];
}
