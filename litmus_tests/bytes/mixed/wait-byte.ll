; A thread waits for a byte of a word, and has the data when the byte is stored
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; REF: the semantics, section 8, Bytes
; EXISTS: ~(t1:%data = 1)
; EXPECT: llvm=Never amdgpu=Never
; EXPECT: rc11=Never sc=Never tso=Never

@data = global i32 0
@word = global i16 0

define void @t0() {
  store i32 1, ptr @data
  store atomic i8 1, ptr @word release, align 1
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
