; An unknown suffix of a known prefix clashes like any other
; REF: LLVM MMRA document, Definitions, tag
; REF: the semantics, section 2, target profiles
; vulkan:internal is neither private nor nonprivate; under vulkan it also keeps nonprivate from being implied.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm@generic=Sometimes+race llvm@strict=Sometimes+race llvm@vulkan=Sometimes+race llvm@amdgpu=Sometimes+race
@data = global i32 0
@flag = global i32 0
define void @t0() {
  store i32 1, ptr @data, !mmra !{!"vulkan", !"nonprivate"}
  store atomic i32 1, ptr @flag release, align 4, !mmra !{!"vulkan", !"internal"}
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
