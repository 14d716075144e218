/* A barrier of all workgroups of a grid: each writes its slot, arrives, waits for all, and reads the other's. */
#ifndef ARRIVE
#define ARRIVE memory_order_acq_rel
#endif
#ifndef WAIT
#define WAIT memory_order_acquire
#endif
#ifndef SCOPE
#define SCOPE memory_scope_device
#endif
global int slots[2];
global atomic_int arrived;
global int seen[2];
kernel void meet(int unused) {
  int me = get_group_id(0);
  slots[me] = 1;
  atomic_fetch_add_explicit(&arrived, 1, ARRIVE, SCOPE);
  while (atomic_load_explicit(&arrived, WAIT, SCOPE) != 2) {
  }
  seen[me] = slots[1 - me];
}
