/* Workgroups that draw tiles until there are none left: one wave draws, and tells the others by local memory. */
global atomic_int next;
global atomic_int done[2];
kernel void draw(void) {
  local int tile;
  for (;;) {
    if (get_local_id(0) == 0)
      tile = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed, memory_scope_device);
    barrier(CLK_LOCAL_MEM_FENCE);
    int mine = tile;
    if (mine >= 1)
      return;
    atomic_fetch_add_explicit(&done[mine], 1, memory_order_relaxed, memory_scope_device);
#ifndef ONCE
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }
}
