/* A scan over workgroups by decoupled look-back: a workgroup publishes its sum, and the next adds it to its own. */
#ifndef PUBLISH
#define PUBLISH memory_order_release
#endif
#ifndef LOOK
#define LOOK memory_order_acquire
#endif
#ifndef SCOPE
#define SCOPE memory_scope_device
#endif
global int sums[2];
global atomic_int ready[2];
global int result;
kernel void scan(int unused) {
  int me = get_group_id(0);
  if (me == 0) {
    sums[0] = 5;
    atomic_store_explicit(&ready[0], 1, PUBLISH, SCOPE);
  } else {
    while (!atomic_load_explicit(&ready[0], LOOK, SCOPE)) {
    }
    result = sums[0] + 1;
  }
}
