; An atomic of one address space, the global one, orders accesses through fat buffer pointers: their memory is global
; REF: LLVM, AMDGPUUsage, address spaces (buffer fat pointer); memory scopes (one-as)
; REF: the semantics, section 1, -one-as
; SCOPES: (agent (workgroup t0) (workgroup t1))
; PROFILE: amdgpu
; EXISTS: t1:%f = 1 /\ ~(t1:%v = 1)
; EXPECT: llvm=Never llvm@generic=Never
; EXPECT: amdgpu=Never
; EXPECT: amdgpu-2026=Never
@x = addrspace(1) global [4 x i32] zeroinitializer
@f = addrspace(1) global i32 0
define void @t0() {
  %p = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) @x, i16 0, i64 16, i32 159744)
  store i32 1, ptr addrspace(7) %p, align 4
  store atomic i32 1, ptr addrspace(1) @f syncscope("agent-one-as") release, align 4
  ret void
}
define void @t1() {
  %f = load atomic i32, ptr addrspace(1) @f syncscope("agent-one-as") acquire, align 4
  %c = icmp eq i32 %f, 1
  br i1 %c, label %b, label %e
b:
  %p = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) @x, i16 0, i64 16, i32 159744)
  %v = load i32, ptr addrspace(7) %p, align 4
  br label %e
e:
  ret void
}
declare ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1), i16, i64, i32)
