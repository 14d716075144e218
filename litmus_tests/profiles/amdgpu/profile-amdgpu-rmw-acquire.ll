; amdgpu: the write half of an acquire read-modify-write has no implied tag either
; REF: User Guide for AMDGPU Backend, amdgpu-synchronize-as; https://github.com/llvm/llvm-project/pull/78572
; REF: the semantics, section 2, target profiles
; Both halves count as synchronizing if the instruction does.
; PROFILE: amdgpu
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Never llvm/direct=Never llvm/filtered=Never
; EXPECT: llvm@generic=Never
@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0
define void @t0() {
  %old = atomicrmw xchg ptr addrspace(1) @data, i32 1 acquire, align 4
  fence release, !mmra !{!"amdgpu-synchronize-as", !"local"}
  store atomic i32 1, ptr addrspace(1) @flag monotonic, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag acquire, align 4
  %data = load atomic i32, ptr addrspace(1) @data monotonic, align 4
  ret void
}
