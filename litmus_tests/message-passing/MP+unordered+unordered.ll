; Message passing through an unordered flag: unordered never synchronizes
; REF: LLVM LangRef, Atomic Memory Ordering Constraints (unordered)
; The data is monotonic, so that the missing order shows as a stale value and not as undef.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Sometimes
; EXPECT: rc11=Sometimes sc=Never tso=Never

@data = global i32 0
@flag = global i32 0

define void @t0() {
  store atomic i32 1, ptr @data monotonic, align 4
  store atomic i32 1, ptr @flag unordered, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag unordered, align 4
  %data = load atomic i32, ptr @data monotonic, align 4
  ret void
}
