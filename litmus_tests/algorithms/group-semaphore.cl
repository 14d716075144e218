/* A semaphore of one place between workgroups: who finds none left gives back what it has taken, and tries again. */
#ifndef TAKE
#define TAKE memory_order_acquire
#endif
#ifndef GIVE
#define GIVE memory_order_release
#endif
#ifndef SCOPE
#define SCOPE memory_scope_device
#endif
global atomic_int places = 1;
global int count;
kernel void enter(int unused) {
  while (atomic_fetch_sub_explicit(&places, 1, TAKE, SCOPE) <= 0)
    atomic_fetch_add_explicit(&places, 1, memory_order_relaxed, SCOPE);
  count++;
  atomic_fetch_add_explicit(&places, 1, GIVE, SCOPE);
}
