; A float is written and published without order: its bits are undef
; REF: LLVM LangRef, Floating-Point Types; IEEE 754
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; The neighbour of union+float-published.
; EXISTS: t1:%flag = 1 /\ t1:%bits = undef
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race
; EXPECT: rc11=Never+race sc=Never tso=Never

@u = global i32 0
@flag = global i32 0

define void @t0() {
  store float 1.0, ptr @u
  store atomic i32 1, ptr @flag monotonic, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag monotonic, align 4
  %taken = icmp eq i32 %flag, 1
  br i1 %taken, label %then, label %done
then:
  %bits = load i32, ptr @u
  br label %done
done:
  ret void
}
