; An assertion written as unreachable: reaching it is undefined behaviour
; REF: LLVM LangRef, unreachable instruction
; The execution ends there: it has no outcome, so the condition is not met, but the flag is set.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Never+ub-unreachable+ub

@data = global i32 0
@flag = global i32 0

define void @t0() {
  store atomic i32 1, ptr @data monotonic, align 4
  store atomic i32 1, ptr @flag monotonic, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag monotonic, align 4
  %data = load atomic i32, ptr @data monotonic, align 4
  %stale = icmp eq i32 %data, 0
  %set = icmp eq i32 %flag, 1
  %wrong = and i1 %set, %stale
  br i1 %wrong, label %never, label %fine
never:
  unreachable
fine:
  ret void
}
