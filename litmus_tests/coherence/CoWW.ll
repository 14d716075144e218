; CoWW: the later of two writes of one thread stays in memory
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; Program order is part of the location order, so the first write is never a final one.
; EXISTS: @x = 1
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0

define void @t0() {
  store i32 1, ptr @x
  store i32 2, ptr @x
  ret void
}
