; A read-modify-write of the word carries the release of one byte on to the other
; REF: ISO C++20, 6.9.2: release sequences
; REF: the semantics, section 8, Bytes
; The release is of byte 0; the reader acquires byte 1, which the read-modify-write wrote. It read the release.
; EXISTS: t2:%flag = 1 /\ t1:%old = 1 /\ ~(t2:%data = 1)
; EXPECT: llvm=Never+mixed-atomics+race amdgpu=Never+mixed-atomics+race
; EXPECT: rc11=Never+race sc=Never tso=Never

@data = global i32 0
@word = global i16 0

define void @t0() {
  store i32 1, ptr @data
  store atomic i8 1, ptr @word release, align 1
  ret void
}

define void @t1() {
  %old = atomicrmw add ptr @word, i16 256 monotonic, align 2
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
