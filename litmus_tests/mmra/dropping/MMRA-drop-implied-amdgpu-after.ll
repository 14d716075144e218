; Dropping tags where the target implies some is not safe: amdgpu goes by the address space
; REF: LLVM MMRA document, Definitions, compatibility (deleting metadata)
; REF: User Guide for AMDGPU Backend, amdgpu-synchronize-as; https://github.com/llvm/llvm-project/pull/78572
; MMRA-drop-implied-amdgpu-before without the tag of the store, which now counts as global.
; PROFILE: amdgpu
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Sometimes+race llvm/direct=Sometimes+race llvm/filtered=Sometimes+race
; EXPECT: llvm@generic=Never
@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0
define void @t0() {
  store i32 1, ptr addrspace(1) @data
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
