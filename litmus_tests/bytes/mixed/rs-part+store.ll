; A store of a byte ends the release sequence of the word in this byte
; REF: ISO C++20, 6.9.2: release sequences
; REF: the semantics, section 8, Bytes
; The neighbour of rs-part+rmw.
; EXISTS: t2:%flag = 2 /\ ~(t2:%data = 1)
; EXPECT: llvm=Sometimes+mixed-atomics+race amdgpu=Sometimes+mixed-atomics+race
; EXPECT: rc11=Sometimes+race sc=Sometimes tso=Sometimes

@data = global i32 0
@word = global i16 0

define void @t0() {
  store i32 1, ptr @data
  store atomic i16 257, ptr @word release, align 2
  ret void
}

define void @t1() {
  store atomic i8 2, ptr @word monotonic, align 1
  ret void
}

define void @t2() {
  %flag = load atomic i8, ptr @word acquire, align 1
  %taken = icmp eq i8 %flag, 2
  br i1 %taken, label %then, label %done
then:
  %data = load i32, ptr @data
  br label %done
done:
  ret void
}
