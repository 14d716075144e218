/* Split-K: each workgroup adds its part to the tile; a semaphore says whose turn it is. */
#ifndef TAKE
#define TAKE memory_order_acquire
#endif
#ifndef GIVE
#define GIVE memory_order_release
#endif
#ifndef SCOPE
#define SCOPE memory_scope_device
#endif
global int tile[2];
global atomic_int turn;
kernel void add(int unused) {
  int me = get_local_id(0), k = get_group_id(0);
  if (me == 0)
    while (atomic_load_explicit(&turn, TAKE, SCOPE) != k) {
    }
  barrier(CLK_GLOBAL_MEM_FENCE);
  tile[me] = (k == 0 ? 0 : tile[me]) + k + 1 + me;
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (me == 0)
    atomic_store_explicit(&turn, k + 1, GIVE, SCOPE);
}
