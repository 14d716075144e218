/* A mailbox in local memory, and what it announces in global memory: a fence orders the memory that it names. */
#ifndef SEND
#define SEND CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE
#endif
#ifndef TAKE
#define TAKE CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE
#endif
#define fence(memory, order) atomic_work_item_fence(memory, order, memory_scope_work_group)
global int shared;
global int seen[2];
kernel void send(int value) {
  local int part;
  local atomic_int full;
  int me = get_local_id(0);
  if (me == 0)
    atomic_store_explicit(&full, 0, memory_order_relaxed, memory_scope_work_group);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (me == 0) {
    part = value;
    shared = 2;
    fence(SEND, memory_order_release);
    atomic_store_explicit(&full, 1, memory_order_relaxed, memory_scope_work_group);
  } else {
    while (atomic_load_explicit(&full, memory_order_relaxed, memory_scope_work_group) == 0) {
    }
    fence(TAKE, memory_order_acquire);
    seen[0] = part;
    seen[1] = shared;
  }
}
