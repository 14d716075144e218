/* The same through global memory: the barrier has to name that. */
#ifndef MEMORY
#define MEMORY CLK_GLOBAL_MEM_FENCE
#endif
global int part[2];
global int seen[2];
kernel void tile(int unused) {
  int me = get_local_id(0);
  part[me] = me + 1;
  work_group_barrier(MEMORY, memory_scope_work_group);
  seen[me] = part[1 - me];
}
