; A fence orders accesses of one address space: it has none of its own
; REF: AMDGPUUsage, sync scopes: one-as
; A -one-as access is not ordered with accesses of other address spaces; a fence is no access.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Never
; EXPECT: amdgpu=Never
; EXPECT: amdgpu-2026=Never

@x = addrspace(1) global i32 0
@y = addrspace(1) global i32 0

define void @t0() {
  store atomic i32 1, ptr addrspace(1) @x syncscope("agent-one-as") monotonic, align 4
  fence syncscope("agent") release
  store atomic i32 1, ptr addrspace(1) @y syncscope("agent") monotonic, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @y syncscope("agent") monotonic, align 4
  fence syncscope("agent") acquire
  %data = load atomic i32, ptr addrspace(1) @x syncscope("agent-one-as") monotonic, align 4
  ret void
}
