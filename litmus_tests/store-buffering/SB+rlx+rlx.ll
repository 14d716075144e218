; Store buffering, monotonic: both loads may miss the other thread's store
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; REF: Owens, Sarkar, Sewell: A better x86 memory model: x86-TSO, TPHOLs 2009
; The store buffers of every common processor show this outcome; only sequential consistency forbids it.
; EXISTS: t0:%r0 = 0 /\ t1:%r1 = 0
; EXPECT: llvm=Sometimes llvm/rc11=Sometimes llvm/none=Sometimes
; EXPECT: rc11=Sometimes sc=Never tso=Sometimes

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  %r0 = load atomic i32, ptr @y monotonic, align 4
  ret void
}

define void @t1() {
  store atomic i32 1, ptr @y monotonic, align 4
  %r1 = load atomic i32, ptr @x monotonic, align 4
  ret void
}
