; WRC with a clash in the middle thread: the last thread may read the old value
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014 (WRC)
; REF: LLVM MMRA document, Ordering; the semantics, section 2, "Happens-before"
; All accesses are atomic, so there is no race and the old value is a plain 0.
; EXISTS: t1:%x = 1 /\ t2:%go = 1 /\ t2:%x = 0
; EXPECT: llvm=Sometimes llvm/direct=Sometimes llvm/filtered=Sometimes
@x = global i32 0
@go = global i32 0
define void @t0() {
  store atomic i32 1, ptr @x release, align 4
  ret void
}

define void @t1() {
  %x = load atomic i32, ptr @x acquire, align 4, !mmra !{!"foo", !"x"}
  store atomic i32 1, ptr @go release, align 4, !mmra !{!"foo", !"y"}
  ret void
}

define void @t2() {
  %go = load atomic i32, ptr @go acquire, align 4
  %x = load atomic i32, ptr @x monotonic, align 4
  ret void
}
