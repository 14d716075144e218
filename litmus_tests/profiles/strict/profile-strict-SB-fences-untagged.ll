; strict: a seq_cst fence without tags is in one order with every other
; REF: LLVM MMRA document, Synchronization
; REF: Lahav et al., PLDI 2017 (psc)
; REF: the semantics, section 2, target profiles
; One notch stronger than profile-strict-SB-fences.
; PROFILE: strict
; EXISTS: t0:%y = 0 /\ t1:%x = 0
; EXPECT: llvm=Never llvm/direct=Never llvm/filtered=Never
; EXPECT: llvm@generic=Never
@x = global i32 0
@y = global i32 0
define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  fence seq_cst, !mmra !{!"foo", !"x"}
  %y = load atomic i32, ptr @y monotonic, align 4
  ret void
}

define void @t1() {
  store atomic i32 1, ptr @y monotonic, align 4
  fence seq_cst
  %x = load atomic i32, ptr @x monotonic, align 4
  ret void
}
