; WRC on an unordered location: there is no coherence to forbid it
; REF: LLVM LangRef, Atomic Memory Ordering Constraints (unordered)
; Modification order covers monotonic and stronger accesses only; RC11 has coherence for every location.
; EXISTS: t1:%a = 1 /\ t2:%b = 1 /\ t2:%c = 0
; EXPECT: llvm=Sometimes
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x unordered, align 4
  ret void
}

define void @t1() {
  %a = load atomic i32, ptr @x unordered, align 4
  store atomic i32 1, ptr @y release, align 4
  ret void
}

define void @t2() {
  %b = load atomic i32, ptr @y acquire, align 4
  %c = load atomic i32, ptr @x unordered, align 4
  ret void
}
