; A cmpxchg of a byte cares for this byte only: a store of the word need not make it fail
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; REF: the semantics, section 8, Bytes
; The neighbour of cmpxchg-word+byte. The word leaves the byte 0 as it is, and whatever the order the cmpxchg
; succeeds.
; EXISTS: t0:%won = 1 /\ @x = 1793
; EXPECT: llvm=Sometimes+mixed-atomics amdgpu=Sometimes+mixed-atomics
; EXPECT: rc11=Sometimes sc=Sometimes tso=Sometimes

@x = global i16 0

define void @t0() {
  %pair = cmpxchg ptr @x, i8 0, i8 1 monotonic monotonic, align 1
  %won = extractvalue { i8, i1 } %pair, 1
  ret void
}

define void @t1() {
  store atomic i16 1792, ptr @x monotonic, align 2
  ret void
}
