; One address space: the scope is that of the plain name
; REF: LLVM AMDGPUUsage, AMDHSA LLVM Sync Scopes
; Workgroup scope does not reach the next workgroup: the flag itself is undef.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = undef /\ t1:%data = undef
; EXPECT: llvm=Always+race amdgpu=Always+race

@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @flag syncscope("workgroup-one-as") release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("workgroup-one-as") acquire, align 4
  %data = load i32, ptr addrspace(1) @data
  ret void
}
