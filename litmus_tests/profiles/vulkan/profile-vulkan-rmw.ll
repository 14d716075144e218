; vulkan: a read-modify-write without a tag is nonprivate in both halves
; REF: LLVM MMRA document, SPIRV NonPrivatePointer, note on atomic operations
; REF: https://github.com/llvm/llvm-project/pull/78573
; REF: the semantics, section 2, target profiles
; Neither half orders the private store before it.
; PROFILE: vulkan
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Sometimes+race llvm/direct=Sometimes+race llvm/filtered=Sometimes+race
; EXPECT: llvm@generic=Never
@data = global i32 0
@flag = global i32 0
define void @t0() {
  store i32 1, ptr @data, !mmra !{!"vulkan", !"private"}
  %old = atomicrmw xchg ptr @flag, i32 1 acq_rel, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr @data
  br label %done

done:
  ret void
}
