; Constant memory: read by everybody, without synchronization
; REF: LLVM AMDGPUUsage, Address Spaces
; The initial value is there for every scope.
; SCOPES: (system (agent (workgroup t0)) (agent (workgroup t1)))
; EXISTS: ~(t0:%near = 7 /\ t1:%far = 7)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@table = addrspace(4) constant i32 7

define void @t0() {
  %near = load i32, ptr addrspace(4) @table
  ret void
}

define void @t1() {
  %far = load i32, ptr addrspace(4) @table
  ret void
}
