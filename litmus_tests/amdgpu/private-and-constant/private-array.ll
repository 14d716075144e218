; Private memory: an array indexed by the thread's number
; REF: LLVM AMDGPUUsage, Address Spaces
; The element that was written, and one that was not.
; THREADS: t0=@kernel(i32 0) t1=@kernel(i32 1)
; SCOPES: (agent (workgroup t0 t1))
; EXISTS: t0:%got = 5 /\ t1:%got = 5 /\ t0:%rest = undef /\ t1:%rest = undef /\ ~(t0:%got = 4)
; EXPECT: llvm=Always amdgpu=Always amdgpu-2026=Always


define void @kernel(i32 %id) {
  %slots = alloca [2 x i32], addrspace(5)
  %mine = getelementptr [2 x i32], ptr addrspace(5) %slots, i32 0, i32 %id
  %other = xor i32 %id, 1
  %unused = getelementptr [2 x i32], ptr addrspace(5) %slots, i32 0, i32 %other
  store i32 5, ptr addrspace(5) %mine
  %got = load i32, ptr addrspace(5) %mine
  %rest = load i32, ptr addrspace(5) %unused
  ret void
}
