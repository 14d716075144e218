; An acquire load of another byte synchronizes with nothing
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; The byte that is read was written by a third thread, monotonic. Accesses do not overlap.
; EXISTS: t2:%flag = 1 /\ ~(t2:%data = 1)
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race
; EXPECT: rc11=Sometimes+race sc=Sometimes tso=Sometimes

@data = global i32 0
@word = global i16 0

define void @t0() {
  store i32 1, ptr @data
  store atomic i8 1, ptr @word release, align 1
  ret void
}

define void @t1() {
  %p = getelementptr i8, ptr @word, i64 1
  store atomic i8 1, ptr %p monotonic, align 1
  ret void
}

define void @t2() {
  %p = getelementptr i8, ptr @word, i64 1
  %flag = load atomic i8, ptr %p acquire, align 1
  %taken = icmp eq i8 %flag, 1
  br i1 %taken, label %then, label %done
then:
  %data = load i32, ptr @data
  br label %done
done:
  ret void
}
