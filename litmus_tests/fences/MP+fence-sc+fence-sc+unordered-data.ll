; Fences: they order unordered data as they order plain data
; REF: LLVM LangRef, Atomic Memory Ordering Constraints (unordered)
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@data = global i32 0
@flag = global i32 0

define void @t0() {
  store atomic i32 1, ptr @data unordered, align 4
  fence seq_cst
  store atomic i32 1, ptr @flag monotonic, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag monotonic, align 4
  fence seq_cst
  %data = load atomic i32, ptr @data unordered, align 4
  ret void
}
