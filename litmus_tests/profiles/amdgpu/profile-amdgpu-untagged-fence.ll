; amdgpu: a fence without a tag orders every address space
; REF: User Guide for AMDGPU Backend, amdgpu-synchronize-as; https://github.com/llvm/llvm-project/pull/78572
; REF: the semantics, section 2, target profiles
; Nothing is implied for fences.
; PROFILE: amdgpu
; EXISTS: t1:%flag = 1 /\ (t1:%global = 0 \/ t1:%local = 0)
; EXPECT: llvm=Never llvm/direct=Never llvm/filtered=Never
; EXPECT: amdgpu=Never
@global = addrspace(1) global i32 0
@local = addrspace(3) global i32 0
@flag = addrspace(1) global i32 0
define void @t0() {
  store i32 1, ptr addrspace(1) @global
  store i32 1, ptr addrspace(3) @local
  fence release
  store atomic i32 1, ptr addrspace(1) @flag monotonic, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag monotonic, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  fence acquire
  %global = load i32, ptr addrspace(1) @global
  %local = load i32, ptr addrspace(3) @local
  br label %done

done:
  ret void
}
