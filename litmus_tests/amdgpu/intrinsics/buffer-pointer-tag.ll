; A store through a fat buffer pointer is one of global memory: a fence of local memory does not order it
; REF: LLVM, AMDGPUUsage, address spaces (buffer fat pointer); amdgpu-synchronize-as
; REF: the semantics, section 2, target profiles
; SCOPES: (agent (workgroup t0) (workgroup t1))
; PROFILE: amdgpu
; EXISTS: t1:%f = 1 /\ ~(t1:%v = 1)
; EXPECT: llvm=Sometimes+race llvm@generic=Never llvm@amdgpu-strict=Sometimes+race
; EXPECT: amdgpu=Sometimes+race
; EXPECT: amdgpu-2026=Sometimes+race
@x = addrspace(1) global [4 x i32] zeroinitializer
@f = addrspace(1) global i32 0
define void @t0() {
  %p = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) @x, i16 0, i64 16, i32 159744)
  %q = getelementptr i32, ptr addrspace(7) %p, i32 1
  store i32 1, ptr addrspace(7) %q, align 4
  fence syncscope("agent") release, !mmra !0
  store atomic i32 1, ptr addrspace(1) @f syncscope("agent") monotonic, align 4
  ret void
}
define void @t1() {
  %f = load atomic i32, ptr addrspace(1) @f syncscope("agent") acquire, align 4
  %c = icmp eq i32 %f, 1
  br i1 %c, label %b, label %e
b:
  %q = getelementptr i32, ptr addrspace(1) @x, i32 1
  %v = load i32, ptr addrspace(1) %q
  br label %e
e:
  ret void
}
declare ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1), i16, i64, i32)
!0 = !{!"amdgpu-synchronize-as", !"local"}
