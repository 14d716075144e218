/* A reduction whose last workgroup to finish adds up what all have written. */
#ifndef FINISH
#define FINISH memory_order_acq_rel
#endif
#ifndef SCOPE
#define SCOPE memory_scope_device
#endif
global int partial[2];
global atomic_int finished;
global int sum;
kernel void reduce(int unused) {
  int me = get_group_id(0);
  partial[me] = me + 1;
  if (atomic_fetch_add_explicit(&finished, 1, FINISH, SCOPE) == 1)
    sum = partial[0] + partial[1];
}
