; Dynamic LDS: an address before its beginning, and one that no workgroup has
; REF: AMDGPUUsage, kernel descriptor, group_segment_fixed_size: the launch adds dynamic LDS to it
; SCOPES: (agent (workgroup t0 t1))
; PROFILE: amdgpu
; EXISTS: true
; EXPECT: llvm=Never+ub+ub-address amdgpu=Never+ub+ub-address

@global_smem = external addrspace(3) global [0 x i32], align 16

define void @t0() {
  %p = getelementptr i8, ptr addrspace(3) @global_smem, i32 -4
  store i32 1, ptr addrspace(3) %p
  ret void
}

define void @t1() {
  %p = getelementptr i8, ptr addrspace(3) @global_smem, i32 65536
  store i32 1, ptr addrspace(3) %p
  ret void
}
