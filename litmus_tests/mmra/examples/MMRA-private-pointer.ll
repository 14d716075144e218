; NonPrivatePointer: private accesses are outside of happens-before
; REF: LLVM MMRA document, SPIRV NonPrivatePointer
; B and C of the example are incompatible with every synchronizing operation there.
; EXISTS: t1:%flag = 1 /\ t1:%b = 0
; EXPECT: llvm=Sometimes+race llvm/direct=Sometimes+race llvm/filtered=Sometimes+race
; EXPECT: llvm@vulkan=Sometimes+race
@a = global i32 0
@b = global i32 0
@flag = global i32 0
define void @t0() {
  store i32 1, ptr @a, !mmra !{!"vulkan", !"nonprivate"}
  store i32 1, ptr @b, !mmra !{!"vulkan", !"private"}
  store atomic i32 1, ptr @flag release, align 4, !mmra !{!"vulkan", !"nonprivate"}
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4, !mmra !{!"vulkan", !"nonprivate"}
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %b = load i32, ptr @b, !mmra !{!"vulkan", !"private"}
  %a = load i32, ptr @a, !mmra !{!"vulkan", !"nonprivate"}
  br label %done

done:
  ret void
}
