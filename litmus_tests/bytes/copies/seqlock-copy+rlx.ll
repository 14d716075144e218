; A sequence lock around monotonic copies of each field: a copy that was not disturbed is whole
; REF: Boehm: Can seqlocks get along with programming language memory models?, MSPC 2012
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; The neighbour of seqlock-copy+unordered.
; EXISTS: t1:%before = t1:%after /\ ~(t1:%before = 1) /\ ~(t1:%a = t1:%b)
; EXPECT: llvm=Never amdgpu=Never
; EXPECT: rc11=Never sc=Never tso=Never

%pair = type { i32, i32 }
@data = global %pair zeroinitializer
@copy = global %pair zeroinitializer
@seq = global i32 0

define void @t0() {
  store atomic i32 1, ptr @seq monotonic, align 4
  fence release
  %q = getelementptr %pair, ptr @data, i32 0, i32 1
  store atomic i32 1, ptr @data monotonic, align 4
  store atomic i32 1, ptr %q monotonic, align 4
  store atomic i32 2, ptr @seq release, align 4
  ret void
}

define void @t1() {
  %before = load atomic i32, ptr @seq acquire, align 4
  %q = getelementptr %pair, ptr @data, i32 0, i32 1
  %r = getelementptr %pair, ptr @copy, i32 0, i32 1
  %first = load atomic i32, ptr @data monotonic, align 4
  %second = load atomic i32, ptr %q monotonic, align 4
  store i32 %first, ptr @copy
  store i32 %second, ptr %r
  fence acquire
  %after = load atomic i32, ptr @seq monotonic, align 4
  %p = getelementptr %pair, ptr @copy, i32 0, i32 1
  %a = load i32, ptr @copy
  %b = load i32, ptr %p
  ret void
}
