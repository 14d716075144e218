; Beyond the end of a buffer a load gives 0 and a store is dropped: what masks accesses by a large offset relies on it
; REF: LLVM, MLIR amdgpu.raw_buffer_load: out of bounds loads return zero; IntrinsicsAMDGPU.td: soffset is not checked
; SCOPES: (agent (workgroup t0) (workgroup t1))
; PROFILE: amdgpu
; FORALL: t0:%a = 1 /\ t0:%b = 0 /\ t0:%c = 0 /\ t1:%v = 7 /\ @x[0] = 1 /\ @x[1] = 7
; EXPECT: llvm=Always
; EXPECT: amdgpu=Always
; EXPECT: amdgpu-2026=Always
@x = addrspace(1) global [2 x i32] [i32 1, i32 7]
@next = addrspace(1) global i32 4
@far = addrspace(1) global i32 -2147483648
define void @t0() {
  %r = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) @x, i16 0, i64 4, i32 159744)
  %a = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %r, i32 0, i32 0, i32 0)
  %n = load i32, ptr addrspace(1) @next
  %b = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %r, i32 %n, i32 0, i32 0)
  %o = load i32, ptr addrspace(1) @far
  %c = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %r, i32 %o, i32 0, i32 0)
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 9, ptr addrspace(8) %r, i32 %n, i32 0, i32 0)
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 9, ptr addrspace(8) %r, i32 %o, i32 0, i32 0)
  ret void
}
define void @t1() {
  %p = getelementptr i32, ptr addrspace(1) @x, i32 1
  %v = load i32, ptr addrspace(1) %p
  ret void
}
declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1), i16, i64, i32)
declare i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8), i32, i32, i32)
declare void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32, ptr addrspace(8), i32, i32, i32)
