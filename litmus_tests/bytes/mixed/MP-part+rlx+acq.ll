; A monotonic store of the word publishes nothing to who acquires a byte of it
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; The neighbour of MP-part+rel+acq.
; EXISTS: t1:%flag = 1 /\ ~(t1:%data = 1)
; EXPECT: llvm=Sometimes+mixed-atomics+race amdgpu=Sometimes+mixed-atomics+race
; EXPECT: rc11=Sometimes+race sc=Never tso=Never

@data = global i32 0
@word = global i16 0

define void @t0() {
  store i32 1, ptr @data
  store atomic i16 257, ptr @word monotonic, align 2
  ret void
}

define void @t1() {
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
