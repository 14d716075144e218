; CoRW1: a read does not return a later write of its own thread
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; The read is location-ordered before the write.
; EXISTS: t0:%r = 1
; EXPECT: llvm=Never llvm/none=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0

define void @t0() {
  %r = load i32, ptr @x
  store i32 1, ptr @x
  ret void
}
