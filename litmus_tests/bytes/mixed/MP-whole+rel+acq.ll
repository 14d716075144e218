; An acquire load of a word synchronizes with the release store of one of its bytes
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; REF: the semantics, section 8, Bytes
; The other byte is the initial one.
; EXISTS: t1:%flag = 1 /\ ~(t1:%data = 1)
; EXPECT: llvm=Never+mixed-atomics amdgpu=Never+mixed-atomics
; EXPECT: rc11=Never sc=Never tso=Never

@data = global i32 0
@word = global i16 0

define void @t0() {
  store i32 1, ptr @data
  store atomic i8 1, ptr @word release, align 1
  ret void
}

define void @t1() {
  %flag = load atomic i16, ptr @word acquire, align 2
  %taken = icmp eq i16 %flag, 1
  br i1 %taken, label %then, label %done
then:
  %data = load i32, ptr @data
  br label %done
done:
  ret void
}
