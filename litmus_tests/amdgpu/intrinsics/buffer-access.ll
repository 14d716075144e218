; Message passing through a buffer: its accesses are plain ones of global memory
; REF: LLVM, AMDGPUUsage, buffer resources
; SCOPES: (agent (workgroup t0) (workgroup t1))
; PROFILE: amdgpu
; EXISTS: t1:%f = 1 /\ ~(t1:%v = 1)
; EXPECT: llvm=Never
; EXPECT: amdgpu=Never
; EXPECT: amdgpu-2026=Never
@x = addrspace(1) global [2 x i32] zeroinitializer
@f = addrspace(1) global i32 0
define void @t0() {
  %r = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) @x, i16 0, i64 8, i32 0)
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 1, ptr addrspace(8) %r, i32 4, i32 0, i32 0)
  store atomic i32 1, ptr addrspace(1) @f syncscope("agent") release, align 4
  ret void
}
define void @t1() {
  %r = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) @x, i16 4, i64 2, i32 0)
  %f = load atomic i32, ptr addrspace(1) @f syncscope("agent") acquire, align 4
  %c = icmp eq i32 %f, 1
  br i1 %c, label %b, label %e
b:
  %v = call i32 @llvm.amdgcn.struct.ptr.buffer.load.i32(ptr addrspace(8) %r, i32 1, i32 0, i32 0, i32 0)
  br label %e
e:
  ret void
}
declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1), i16, i64, i32)
declare void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32, ptr addrspace(8), i32, i32, i32)
declare i32 @llvm.amdgcn.struct.ptr.buffer.load.i32(ptr addrspace(8), i32, i32, i32, i32)
