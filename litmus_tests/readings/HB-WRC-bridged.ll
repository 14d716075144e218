; WRC with a clash in the middle thread, bridged: coherence forbids the old value under closure
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014 (WRC)
; REF: LLVM MMRA document, Ordering; the semantics, section 2, "Happens-before"
; The value itself shows the difference between the readings, without undef.
; EXISTS: t1:%x = 1 /\ t2:%go = 1 /\ t2:%x = 0
; EXPECT: llvm=Never llvm/direct=Sometimes llvm/filtered=Never
@x = global i32 0
@go = global i32 0
@z = global i32 0
define void @t0() {
  store atomic i32 1, ptr @x release, align 4
  ret void
}

define void @t1() {
  %x = load atomic i32, ptr @x acquire, align 4, !mmra !{!"foo", !"x"}
  %z = load i32, ptr @z
  store atomic i32 1, ptr @go release, align 4, !mmra !{!"foo", !"y"}
  ret void
}

define void @t2() {
  %go = load atomic i32, ptr @go acquire, align 4
  %x = load atomic i32, ptr @x monotonic, align 4
  ret void
}
