/* Hazard pointers between workgroups: a node that a reader has announced is not used again. */
#ifndef FENCE
#define FENCE memory_order_seq_cst
#endif
#ifndef SCOPE
#define SCOPE memory_scope_device
#endif
#define load(p) atomic_load_explicit(p, memory_order_acquire, SCOPE)
#define store(p, v, o) atomic_store_explicit(p, v, o, SCOPE)
global int node = 1;
global atomic_int shared = ATOMIC_VAR_INIT(1), hazard;
global int seen = 1;
kernel void use(int unused) {
  if (get_group_id(0) == 0) {
    store(&hazard, 1, memory_order_relaxed);
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, FENCE, SCOPE);
    if (load(&shared) == 1)
      seen = node;
    store(&hazard, 0, memory_order_release);
  } else {
    store(&shared, 0, memory_order_relaxed);
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, FENCE, SCOPE);
    if (load(&hazard) == 0)
      node = 2;
  }
}
