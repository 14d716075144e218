; fetch_add: a concurrent plain store races, and the read-modify-write reads undef
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; Not every write that the read may see is atomic.
; EXISTS: t0:%r = undef
; EXPECT: llvm=Always+race
; EXPECT: rc11=Never+race

@x = global i32 0

define void @t0() {
  %r = atomicrmw add ptr @x, i32 1 seq_cst, align 4
  ret void
}

define void @t1() {
  store i32 5, ptr @x
  ret void
}
