; An assertion written as unreachable: it holds
; REF: LLVM LangRef, unreachable instruction
; The only way to it is the stale outcome of message passing.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Never

@data = global i32 0
@flag = global i32 0

define void @t0() {
  store atomic i32 1, ptr @data monotonic, align 4
  store atomic i32 1, ptr @flag release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
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
