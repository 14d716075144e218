; A release with both tags of a prefix orders both kinds of accesses
; REF: LLVM MMRA document, Definitions, compatibility
; REF: LLVM MMRA document, Implementation Example
; Specifying both private and nonprivate is the conservative choice of the document.
; EXISTS: t1:%flag = 1 /\ (t1:%a = 0 \/ t1:%b = 0)
; EXPECT: llvm=Never llvm/direct=Never llvm/filtered=Never
; EXPECT: llvm@vulkan=Never
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
  %flag = load atomic i32, ptr @flag acquire, align 4, !mmra !{!{!"vulkan", !"private"}, !{!"vulkan", !"nonprivate"}}
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %a = load i32, ptr @a, !mmra !{!"vulkan", !"private"}
  %b = load i32, ptr @b, !mmra !{!"vulkan", !"nonprivate"}
  br label %done

done:
  ret void
}
