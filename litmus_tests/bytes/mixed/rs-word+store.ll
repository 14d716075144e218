; A store of the word carries nothing on
; REF: ISO C++20, 6.9.2: release sequences
; REF: the semantics, section 8, Bytes
; The neighbour of rs-word+rmw: the load before it reads the release, but is monotonic.
; EXISTS: t2:%flag = 1 /\ t1:%old = 1 /\ ~(t2:%data = 1)
; EXPECT: llvm=Sometimes+mixed-atomics+race amdgpu=Sometimes+mixed-atomics+race
; EXPECT: rc11=Sometimes+race sc=Never tso=Never

@data = global i32 0
@word = global i16 0

define void @t0() {
  store i32 1, ptr @data
  store atomic i8 1, ptr @word release, align 1
  ret void
}

define void @t1() {
  %old = load atomic i16, ptr @word monotonic, align 2
  store atomic i16 257, ptr @word monotonic, align 2
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
