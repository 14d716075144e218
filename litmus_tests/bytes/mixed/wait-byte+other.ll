; A thread waits for a byte of a word, and the other byte is stored: it waits for ever
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; REF: the semantics, section 8, Bytes
; The neighbour of wait-byte.
; EXISTS: true
; EXPECT: llvm=Never+stuck amdgpu=Never+stuck
; EXPECT: rc11=Never+stuck sc=Never+stuck tso=Never+stuck

@data = global i32 0
@word = global i16 0

define void @t0() {
  store i32 1, ptr @data
  %p = getelementptr i8, ptr @word, i64 1
  store atomic i8 1, ptr %p release, align 1
  ret void
}

define void @t1() {
entry:
  br label %wait
wait:
  %flag = load atomic i8, ptr @word acquire, align 1
  %set = icmp eq i8 %flag, 1
  br i1 %set, label %read, label %wait
read:
  %data = load i32, ptr @data
  ret void
}
