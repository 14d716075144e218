; vulkan: an unordered store without a tag stays untagged, and is ordered by a private release
; REF: LLVM MMRA document, SPIRV NonPrivatePointer, note on atomic operations
; REF: https://github.com/llvm/llvm-project/pull/78573
; REF: the semantics, section 2, target profiles
; The implied tag starts at monotonic.
; PROFILE: vulkan
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Never llvm/direct=Never llvm/filtered=Never
; EXPECT: llvm@generic=Never
@data = global i32 0
@flag = global i32 0
define void @t0() {
  store atomic i32 1, ptr @data unordered, align 4
  store atomic i32 1, ptr @flag release, align 4, !mmra !{!"vulkan", !"private"}
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %data = load atomic i32, ptr @data unordered, align 4
  ret void
}
