; amdgpu: a monotonic read-modify-write has the implied tag in both halves
; REF: User Guide for AMDGPU Backend, amdgpu-synchronize-as; https://github.com/llvm/llvm-project/pull/78572
; REF: the semantics, section 2, target profiles
; One notch weaker than profile-amdgpu-rmw-acquire.
; PROFILE: amdgpu
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Sometimes llvm/direct=Sometimes llvm/filtered=Sometimes
; EXPECT: llvm@generic=Never
@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0
define void @t0() {
  %old = atomicrmw xchg ptr addrspace(1) @data, i32 1 monotonic, align 4
  fence release, !mmra !{!"amdgpu-synchronize-as", !"local"}
  store atomic i32 1, ptr addrspace(1) @flag monotonic, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag acquire, align 4
  %data = load atomic i32, ptr addrspace(1) @data monotonic, align 4
  ret void
}
