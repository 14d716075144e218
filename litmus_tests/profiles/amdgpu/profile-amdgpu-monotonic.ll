; amdgpu: a monotonic global store has the implied tag
; REF: User Guide for AMDGPU Backend, amdgpu-synchronize-as; https://github.com/llvm/llvm-project/pull/78572
; REF: the semantics, section 2, target profiles
; All accesses are atomic: a stale 0, no race.
; PROFILE: amdgpu
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Sometimes llvm/direct=Sometimes llvm/filtered=Sometimes
; EXPECT: llvm@generic=Never
@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0
define void @t0() {
  store atomic i32 1, ptr addrspace(1) @data monotonic, align 4
  fence release, !mmra !{!"amdgpu-synchronize-as", !"local"}
  store atomic i32 1, ptr addrspace(1) @flag monotonic, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag acquire, align 4
  %data = load atomic i32, ptr addrspace(1) @data monotonic, align 4
  ret void
}
