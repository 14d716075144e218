; SB with fences, a clash bridged by a round trip through another thread: only filtered loses it
; REF: Lahav et al., PLDI 2017 (psc)
; REF: Batty et al., POPL 2011 (SB)
; REF: LLVM MMRA document, Ordering; the semantics, section 2, "Happens-before"
; The fence is before the load because a message goes to t1 and back, every step of it compatible. direct keeps such a
; pair, filtered takes every clashing pair of one thread out, however it came about.
; EXISTS: t0:%pong = 1 /\ t0:%y = 0 /\ t2:%x = 0
; EXPECT: llvm=Never llvm/direct=Never llvm/filtered=Sometimes
@x = global i32 0
@y = global i32 0
@ping = global i32 0
@pong = global i32 0
define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  fence seq_cst, !mmra !{!"foo", !"x"}
  store atomic i32 1, ptr @ping release, align 4
  %pong = load atomic i32, ptr @pong acquire, align 4
  %y = load atomic i32, ptr @y monotonic, align 4, !mmra !{!"foo", !"y"}
  ret void
}

define void @t1() {
  %ping = load atomic i32, ptr @ping acquire, align 4
  store atomic i32 %ping, ptr @pong release, align 4
  ret void
}

define void @t2() {
  store atomic i32 1, ptr @y monotonic, align 4
  fence seq_cst
  %x = load atomic i32, ptr @x monotonic, align 4
  ret void
}
