; vulkan: a monotonic store without a tag is nonprivate, and clashes with a private release
; REF: LLVM MMRA document, SPIRV NonPrivatePointer, note on atomic operations
; REF: https://github.com/llvm/llvm-project/pull/78573
; REF: the semantics, section 2, target profiles
; All accesses are atomic: a stale 0, no race.
; PROFILE: vulkan
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Sometimes llvm/direct=Sometimes llvm/filtered=Sometimes
; EXPECT: llvm@generic=Never
@data = global i32 0
@flag = global i32 0
define void @t0() {
  store atomic i32 1, ptr @data monotonic, align 4
  store atomic i32 1, ptr @flag release, align 4, !mmra !{!"vulkan", !"private"}
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %data = load atomic i32, ptr @data monotonic, align 4
  ret void
}
