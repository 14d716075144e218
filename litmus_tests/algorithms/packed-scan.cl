/* A look-back whose sum and status are one word: nothing has to be ordered. With two words, the status comes last. */
global atomic_int status[3];
global int result;
kernel void packed(int unused) {
  int me = get_group_id(0);
  if (me == 0) {
#ifdef SPLIT
    atomic_store_explicit(&status[2], 5, memory_order_relaxed, memory_scope_device);
    atomic_store_explicit(&status[0], 1, memory_order_relaxed, memory_scope_device);
#else
    atomic_store_explicit(&status[0], 5, memory_order_relaxed, memory_scope_device);
#endif
  } else {
    int seen;
    while (!(seen = atomic_load_explicit(&status[0], memory_order_relaxed, memory_scope_device))) {
    }
#ifdef SPLIT
    seen = atomic_load_explicit(&status[2], memory_order_relaxed, memory_scope_device);
#endif
    result = seen;
  }
}
