; Sequence lock: fences keep the reader's data between its two looks at the counter
; REF: Boehm: Can seqlocks get along with programming language memory models?, MSPC 2012
; The writer marks the counter odd; a reader that saw new data must see the mark in its second look.
; EXISTS: t1:%before = 0 /\ t1:%after = 0 /\ t1:%data = 1
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

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
  fence acquire
  %after = load atomic i32, ptr @seq monotonic, align 4
  ret void
}
