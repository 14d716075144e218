; Private memory: undef until it is written
; REF: LLVM AMDGPUUsage, Address Spaces
; As any alloca.
; EXISTS: t0:%before = undef /\ ~(t0:%after = undef)
; EXPECT: llvm=Always amdgpu=Always amdgpu-2026=Always


define void @t0() {
  %slot = alloca i32, addrspace(5)
  %before = load i32, ptr addrspace(5) %slot
  store i32 3, ptr addrspace(5) %slot
  %after = load i32, ptr addrspace(5) %slot
  ret void
}
