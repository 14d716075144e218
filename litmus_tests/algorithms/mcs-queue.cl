/* The queue lock of Mellor-Crummey and Scott between workgroups, by numbers of nodes. */
#ifndef HAND
#define HAND memory_order_release
#endif
#ifndef SCOPE
#define SCOPE memory_scope_device
#endif
global atomic_int tail, next[3], blocked[3];
global int count;
kernel void queue(int unused) {
  int me = get_group_id(0) + 1, self = me;
  int before = atomic_exchange_explicit(&tail, me, memory_order_acq_rel, SCOPE);
  if (before) {
    atomic_store_explicit(&blocked[me], 1, memory_order_relaxed, SCOPE);
    atomic_store_explicit(&next[before], me, memory_order_release, SCOPE);
    while (atomic_load_explicit(&blocked[me], memory_order_acquire, SCOPE)) {
    }
  }
  count++;
  if (!atomic_load_explicit(&next[me], memory_order_acquire, SCOPE)) {
    if (atomic_compare_exchange_strong_explicit(&tail, &self, 0, HAND, memory_order_relaxed, SCOPE))
      return;
    while (!atomic_load_explicit(&next[me], memory_order_acquire, SCOPE)) {
    }
  }
  atomic_store_explicit(&blocked[atomic_load_explicit(&next[me], memory_order_relaxed, SCOPE)], 0, HAND, SCOPE);
}
