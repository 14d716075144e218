/* A float is added by compare-and-swap of its bits, which is repeated where it fails. */
global atomic_int sum;
kernel void add(int unused) {
  int seen = atomic_load_explicit(&sum, memory_order_relaxed, memory_scope_device);
#ifdef BLIND
  atomic_store_explicit(&sum, as_int(as_float(seen) + 1), memory_order_relaxed, memory_scope_device);
#else
  while (!atomic_compare_exchange_weak_explicit(&sum, &seen, as_int(as_float(seen) + 1), memory_order_relaxed,
                                                memory_order_relaxed, memory_scope_device)) {
  }
#endif
}
