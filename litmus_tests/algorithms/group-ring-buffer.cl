/* A ring buffer of one element between two workgroups, used twice. */
#ifndef FILL
#define FILL memory_order_release
#endif
#ifndef EMPTY
#define EMPTY memory_order_release
#endif
#ifndef SCOPE
#define SCOPE memory_scope_device
#endif
global int slot;
global atomic_int head, tail;
global int sum;
kernel void pass(int unused) {
  if (get_group_id(0) == 0) {
    for (int n = 0; n < 2; n++) {
      while (atomic_load_explicit(&head, memory_order_acquire, SCOPE) != n) {
      }
      slot = n + 1;
      atomic_store_explicit(&tail, n + 1, FILL, SCOPE);
    }
  } else {
    int found = 0;
    for (int n = 0; n < 2; n++) {
      while (atomic_load_explicit(&tail, memory_order_acquire, SCOPE) != n + 1) {
      }
      found += slot;
      atomic_store_explicit(&head, n + 1, EMPTY, SCOPE);
    }
    sum = found;
  }
}
