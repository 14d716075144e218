; vulkan: a release with both tags orders private and nonprivate data
; REF: LLVM MMRA document, SPIRV NonPrivatePointer, note on atomic operations
; REF: https://github.com/llvm/llvm-project/pull/78573
; REF: the semantics, section 2, target profiles
; Nothing is implied where a tag of the prefix is written.
; PROFILE: vulkan
; EXISTS: t1:%flag = 1 /\ (t1:%a = 0 \/ t1:%b = 0)
; EXPECT: llvm=Never llvm/direct=Never llvm/filtered=Never
; EXPECT: llvm@generic=Never
@a = global i32 0
@b = global i32 0
@flag = global i32 0
define void @t0() {
  store i32 1, ptr @a, !mmra !{!"vulkan", !"private"}
  store i32 1, ptr @b, !mmra !{!"vulkan", !"nonprivate"}
  store atomic i32 1, ptr @flag release, align 4, !mmra !{!{!"vulkan", !"private"}, !{!"vulkan", !"nonprivate"}}
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %a = load i32, ptr @a
  %b = load i32, ptr @b
  br label %done

done:
  ret void
}
