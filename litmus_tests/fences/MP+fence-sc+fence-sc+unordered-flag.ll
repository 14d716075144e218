; Fences: even seq_cst fences do not synchronize through unordered accesses
; REF: LLVM LangRef, Atomic Memory Ordering Constraints (unordered)
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; The flag is outside modification order, so psc does not see it. RC11 has the race too, but its psc knows every
; access.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Sometimes+race
; EXPECT: rc11=Never+race sc=Never tso=Never

@data = global i32 0
@flag = global i32 0

define void @t0() {
  store i32 1, ptr @data
  fence seq_cst
  store atomic i32 1, ptr @flag unordered, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag unordered, align 4
  fence seq_cst
  %taken = icmp eq i32 %flag, 1
  br i1 %taken, label %then, label %done
then:
  %data = load i32, ptr @data
  br label %done
done:
  ret void
}
