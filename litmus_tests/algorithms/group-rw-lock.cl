/* A lock of many readers or one writer, between workgroups. */
#ifndef LEAVE
#define LEAVE memory_order_release
#endif
#ifndef SCOPE
#define SCOPE memory_scope_device
#endif
global atomic_int state;
global int value;
global int seen;
kernel void share(int unused) {
  if (get_group_id(0) == 0) {
    int free = 0;
    if (atomic_compare_exchange_strong_explicit(&state, &free, -1, memory_order_acquire, memory_order_relaxed, SCOPE)) {
      value = 1;
      atomic_store_explicit(&state, 0, LEAVE, SCOPE);
    }
  } else {
    int readers = atomic_load_explicit(&state, memory_order_relaxed, SCOPE);
    if (readers >= 0 &&
        atomic_compare_exchange_strong_explicit(&state, &readers, readers + 1, memory_order_acquire,
                                                memory_order_relaxed, SCOPE)) {
      seen = value;
      atomic_fetch_sub_explicit(&state, 1, memory_order_release, SCOPE);
    }
  }
}
