; Store buffering with words stored and bytes read: seq_cst forbids it
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; REF: the semantics, section 8, Bytes
; EXISTS: t0:%r = 0 /\ t1:%r = 0
; EXPECT: llvm=Never+mixed-atomics amdgpu=Never+mixed-atomics
; EXPECT: rc11=Never sc=Never tso=Sometimes

@x = global i16 0
@y = global i16 0

define void @t0() {
  store atomic i16 257, ptr @x seq_cst, align 2
  %r = load atomic i8, ptr @y seq_cst, align 1
  ret void
}

define void @t1() {
  store atomic i16 257, ptr @y seq_cst, align 2
  %p = getelementptr i8, ptr @x, i64 1
  %r = load atomic i8, ptr %p seq_cst, align 1
  ret void
}
