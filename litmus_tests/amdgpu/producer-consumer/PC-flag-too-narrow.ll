; Workgroups of an agent: the flag is too small
; REF: AMDGPU Memory Model, Scopes
; REF: LLVM AMDGPUUsage, Memory Model gfx942
; The fences name the agent, the flag its workgroup: its value is undef, and nothing synchronizes.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = undef /\ t1:%data = undef
; EXPECT: llvm=Always+race amdgpu=Always+race

@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  fence syncscope("agent") release
  store atomic i32 1, ptr addrspace(1) @flag syncscope("workgroup") monotonic, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("workgroup") monotonic, align 4
  fence syncscope("agent") acquire
  %data = load i32, ptr addrspace(1) @data
  ret void
}
