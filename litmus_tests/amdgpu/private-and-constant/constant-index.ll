; Constant memory: a table indexed by the thread's number
; REF: LLVM AMDGPUUsage, Address Spaces
; Each thread finds its own entry.
; THREADS: t0=@kernel(i32 0) t1=@kernel(i32 1)
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: ~(t0:%entry = 5 /\ t1:%entry = 6)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@table = addrspace(4) constant [2 x i32] [i32 5, i32 6]

define void @kernel(i32 %id) {
  %where = getelementptr [2 x i32], ptr addrspace(4) @table, i32 0, i32 %id
  %entry = load i32, ptr addrspace(4) %where
  ret void
}
