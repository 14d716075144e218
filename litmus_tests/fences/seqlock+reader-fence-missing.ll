; Sequence lock: an acquire load of the counter before the data does not keep the data before the second look
; REF: Boehm: Can seqlocks get along with programming language memory models?, MSPC 2012
; One notch weaker than seqlock+fences: the data may be newer than both looks.
; EXISTS: t1:%before = 0 /\ t1:%after = 0 /\ t1:%data = 1
; EXPECT: llvm=Sometimes
; EXPECT: rc11=Sometimes sc=Never tso=Never

@seq = global i32 0
@data = global i32 0

define void @t0() {
  store atomic i32 1, ptr @seq monotonic, align 4
  fence release
  store atomic i32 1, ptr @data monotonic, align 4
  store atomic i32 2, ptr @seq release, align 4
  ret void
}

define void @t1() {
  %before = load atomic i32, ptr @seq acquire, align 4
  %data = load atomic i32, ptr @data monotonic, align 4
  %after = load atomic i32, ptr @seq monotonic, align 4
  ret void
}
