; Fences: what a scope says of seq_cst accesses, where it says of a fence that it is none between threads
; REF: LLVM LangRef, syncscope of atomic operations
; REF: ISO C17, 7.17.3, 7.17.4.2 (C has no scopes: only a fence may be of one thread)
; EXISTS: t0:%r0 = 0 /\ t1:%r1 = 0
; EXPECT: llvm=Sometimes+race
; EXPECT: rc11=Never c11_simp=Never c11_partialSC=Never tso=Sometimes sc=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x syncscope("singlethread") seq_cst, align 4
  %r0 = load atomic i32, ptr @y syncscope("singlethread") seq_cst, align 4
  ret void
}

define void @t1() {
  store atomic i32 1, ptr @y syncscope("singlethread") seq_cst, align 4
  %r1 = load atomic i32, ptr @x syncscope("singlethread") seq_cst, align 4
  ret void
}
