/* A sequence lock between workgroups. */
#ifndef BEGIN
#define BEGIN memory_order_release
#endif
#ifndef END
#define END memory_order_acquire
#endif
#ifndef SCOPE
#define SCOPE memory_scope_device
#endif
global atomic_int sequence, a, b;
global int torn;
kernel void guard(int unused) {
  if (get_group_id(0) == 0) {
    atomic_store_explicit(&sequence, 1, memory_order_relaxed, SCOPE);
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, BEGIN, SCOPE);
    atomic_store_explicit(&a, 1, memory_order_relaxed, SCOPE);
    atomic_store_explicit(&b, 1, memory_order_relaxed, SCOPE);
    atomic_store_explicit(&sequence, 2, memory_order_release, SCOPE);
  } else {
    int before = atomic_load_explicit(&sequence, memory_order_acquire, SCOPE);
    int x = atomic_load_explicit(&a, memory_order_relaxed, SCOPE);
    int y = atomic_load_explicit(&b, memory_order_relaxed, SCOPE);
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, END, SCOPE);
    if (!(before & 1) && atomic_load_explicit(&sequence, memory_order_relaxed, SCOPE) == before)
      torn = x != y;
  }
}
