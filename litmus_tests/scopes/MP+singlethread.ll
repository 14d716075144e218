; Scopes: atomics of scope singlethread race between threads
; REF: LLVM LangRef, syncscope of atomic operations
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Sometimes+race

@data = global i32 0
@flag = global i32 0

define void @t0() {
  store i32 1, ptr @data
  store atomic i32 1, ptr @flag syncscope("singlethread") release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag syncscope("singlethread") acquire, align 4
  %data = load i32, ptr @data
  ret void
}
