; Array element by index: distinct elements are distinct locations
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; Each thread has its own element, so plain stores through a computed address do not race.
; FORALL: @a[0] = 1 /\ @a[1] = 2
; EXPECT: llvm=Always
; EXPECT: rc11=Always sc=Always tso=Always

@a = global [2 x i32] zeroinitializer

define void @t0() {
  %p = getelementptr [2 x i32], ptr @a, i32 0, i32 0
  store i32 1, ptr %p
  ret void
}

define void @t1() {
  %p = getelementptr [2 x i32], ptr @a, i32 0, i32 1
  store i32 2, ptr %p
  ret void
}
