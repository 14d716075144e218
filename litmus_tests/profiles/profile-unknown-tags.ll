; A tag that no profile knows is no error, and counts for compatibility under all of them
; REF: LLVM MMRA document, Definitions, tag
; REF: the semantics, section 2, target profiles
; The document ignores tags that a target does not recognize; compatibility is decided before that.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm@generic=Sometimes+race llvm@strict=Sometimes+race llvm@vulkan=Sometimes+race llvm@amdgpu=Sometimes+race
@data = global i32 0
@flag = global i32 0
define void @t0() {
  store i32 1, ptr @data, !mmra !{!"made-up", !"x"}
  store atomic i32 1, ptr @flag release, align 4, !mmra !{!"made-up", !"y"}
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
