; Store buffering with forwarding: a thread reads its own store early
; REF: Owens, Sarkar, Sewell: A better x86 memory model: x86-TSO, TPHOLs 2009
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; The load of the thread's own location returns the buffered value and does not drain the buffer.
; EXISTS: t0:%own0 = 1 /\ t0:%r0 = 0 /\ t1:%own1 = 1 /\ t1:%r1 = 0
; EXPECT: llvm=Sometimes
; EXPECT: rc11=Sometimes sc=Never tso=Sometimes

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  %own0 = load atomic i32, ptr @x monotonic, align 4
  %r0 = load atomic i32, ptr @y monotonic, align 4
  ret void
}

define void @t1() {
  store atomic i32 1, ptr @y monotonic, align 4
  %own1 = load atomic i32, ptr @y monotonic, align 4
  %r1 = load atomic i32, ptr @x monotonic, align 4
  ret void
}
