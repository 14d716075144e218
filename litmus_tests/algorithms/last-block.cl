/* The reduction of CUDA's threadFenceReduction: blocks add up in local memory, the last one adds up the blocks. */
#ifndef BEFORE
#define BEFORE memory_scope_device
#endif
#ifndef AFTER
#define AFTER memory_scope_device
#endif
#define THREADFENCE(scope) atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, scope)
global int in[4] = {1, 2, 3, 4};
global int partial[2];
global atomic_int count;
global int sum;
kernel void reduce(int unused) {
  local int part[2];
  local int last;
  int me = get_local_id(0), block = get_group_id(0);
  part[me] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (me == 0) {
    partial[block] = part[0] + part[1];
    THREADFENCE(BEFORE);
    last = atomic_fetch_add_explicit(&count, 1, memory_order_relaxed, memory_scope_device) == 1;
    THREADFENCE(AFTER);
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (last && me == 1)
    sum = partial[0] + partial[1];
}
