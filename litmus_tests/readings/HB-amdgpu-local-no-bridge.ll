; Under amdgpu a local access is no bridge between a global store and a fence of local memory
; REF: User Guide for AMDGPU Backend, amdgpu-synchronize-as; https://github.com/llvm/llvm-project/pull/78572
; REF: LLVM MMRA document, Ordering; the semantics, section 2, "Happens-before"
; It goes with the fence and clashes with the store.
; PROFILE: amdgpu
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Sometimes+race llvm/direct=Sometimes+race llvm/filtered=Sometimes+race
@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0
@z = addrspace(3) global i32 0
define void @t0() {
  store i32 1, ptr addrspace(1) @data
  %z = load i32, ptr addrspace(3) @z
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
