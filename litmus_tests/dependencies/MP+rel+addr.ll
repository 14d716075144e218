; Address dependency: an index that was read does not order the load of the element
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; LLVM has no consume: the reader needs acquire.
; EXISTS: t1:%i = 1 /\ t1:%r = 0
; EXPECT: llvm=Sometimes
; EXPECT: rc11=Sometimes sc=Never tso=Never

@i = global i32 0
@a = global [2 x i32] zeroinitializer

define void @t0() {
  store atomic i32 1, ptr getelementptr ([2 x i32], ptr @a, i32 0, i32 1) monotonic, align 4
  store atomic i32 1, ptr @i release, align 4
  ret void
}

define void @t1() {
  %i = load atomic i32, ptr @i monotonic, align 4
  %p = getelementptr [2 x i32], ptr @a, i32 0, i32 %i
  %r = load atomic i32, ptr %p monotonic, align 4
  ret void
}
