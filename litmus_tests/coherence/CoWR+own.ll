; CoWR: a thread reads its own last write
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; Without other writers the location order leaves one write to see.
; FORALL: t0:%r = 1
; EXPECT: llvm=Always
; EXPECT: rc11=Always sc=Always tso=Always

@x = global i32 0

define void @t0() {
  store i32 2, ptr @x
  store i32 1, ptr @x
  %r = load i32, ptr @x
  ret void
}
