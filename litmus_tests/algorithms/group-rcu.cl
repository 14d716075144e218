/* Publication of a version by its number: who sees the number reads the version. */
#ifndef PUBLISH
#define PUBLISH memory_order_release
#endif
#ifndef SCOPE
#define SCOPE memory_scope_device
#endif
global int versions[2] = {2, 0};
global atomic_int current;
global int seen;
kernel void publish(int unused) {
  if (get_group_id(0) == 0) {
    versions[1] = 2;
    atomic_store_explicit(&current, 1, PUBLISH, SCOPE);
  } else {
    int which = atomic_load_explicit(&current, memory_order_acquire, SCOPE);
    seen = versions[which];
  }
}
