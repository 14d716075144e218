; The store to a buffer is not ordered with a read: the flag is relaxed
; REF: LLVM, AMDGPUUsage, buffer resources
; SCOPES: (agent (workgroup t0) (workgroup t1))
; PROFILE: amdgpu
; EXISTS: t1:%f = 1 /\ t1:%v = undef
; EXPECT: llvm=Sometimes+race
; EXPECT: amdgpu-2026=Sometimes+race
@x = addrspace(1) global [2 x i32] zeroinitializer
@f = addrspace(1) global i32 0
define void @t0() {
  %r = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) @x, i16 0, i64 8, i32 0)
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 1, ptr addrspace(8) %r, i32 4, i32 0, i32 0)
  store atomic i32 1, ptr addrspace(1) @f syncscope("agent") monotonic, align 4
  ret void
}
define void @t1() {
  %f = load atomic i32, ptr addrspace(1) @f syncscope("agent") acquire, align 4
  %p = getelementptr i32, ptr addrspace(1) @x, i32 1
  %v = load i32, ptr addrspace(1) %p
  ret void
}
declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1), i16, i64, i32)
declare void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32, ptr addrspace(8), i32, i32, i32)
