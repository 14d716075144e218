; A global without a value holds undef
; REF: LLVM LangRef, Undefined Values
; Such is the memory that kernels share inside a workgroup when they start.
; EXISTS: t0:%r = undef
; EXPECT: llvm=Always

@x = global i32 undef

define void @t0() {
  %r = load atomic i32, ptr @x monotonic, align 4
  ret void
}
