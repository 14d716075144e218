/* A tile in local memory: the lanes fill it, meet at a barrier, and read each other's part. */
#ifndef MEMORY
#define MEMORY CLK_LOCAL_MEM_FENCE
#endif
global int seen[2];
kernel void tile(int unused) {
  local int part[2];
  int me = get_local_id(0);
  part[me] = me + 1;
#ifndef NONE
  barrier(MEMORY);
#endif
  seen[me] = part[1 - me];
}
