; amdgpu: an explicit tag wins over the address space
; REF: User Guide for AMDGPU Backend, amdgpu-synchronize-as; https://github.com/llvm/llvm-project/pull/78572
; REF: the semantics, section 2, target profiles
; A global store that says local goes with the fence of local memory.
; PROFILE: amdgpu
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Never llvm/direct=Never llvm/filtered=Never
; EXPECT: amdgpu=Never
@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0
define void @t0() {
  store i32 1, ptr addrspace(1) @data, !mmra !{!"amdgpu-synchronize-as", !"local"}
  fence release, !mmra !{!"amdgpu-synchronize-as", !"local"}
  store atomic i32 1, ptr addrspace(1) @flag monotonic, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag monotonic, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  fence acquire
  %data = load i32, ptr addrspace(1) @data
  br label %done

done:
  ret void
}
