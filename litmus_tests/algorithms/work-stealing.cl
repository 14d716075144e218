/* A task in a queue of a workgroup, which another one steals: who advances the head runs it. */
#ifndef PUSH
#define PUSH memory_order_release
#endif
#ifndef SCOPE
#define SCOPE memory_scope_device
#endif
global int task;
global atomic_int tail, head;
global int result[2];
static void take(int me) {
  int first = 0;
  if (atomic_load_explicit(&tail, memory_order_acquire, SCOPE) == 1 &&
      atomic_compare_exchange_strong_explicit(&head, &first, 1, memory_order_acq_rel, memory_order_relaxed, SCOPE))
    result[me] = task;
}
kernel void steal(int unused) {
  int me = get_group_id(0);
  if (me == 0) {
    task = 7;
    atomic_store_explicit(&tail, 1, PUSH, SCOPE);
  }
  take(me);
}
