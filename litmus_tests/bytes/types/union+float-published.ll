; A float is written and published, its bits are read as an integer
; REF: LLVM LangRef, Floating-Point Types; IEEE 754
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; 1.0 is 0x3f800000.
; EXISTS: t1:%flag = 1 /\ ~(t1:%bits = 1065353216)
; EXPECT: llvm=Never amdgpu=Never
; EXPECT: rc11=Never sc=Never tso=Never

@u = global i32 0
@flag = global i32 0

define void @t0() {
  store float 1.0, ptr @u
  store atomic i32 1, ptr @flag release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %taken = icmp eq i32 %flag, 1
  br i1 %taken, label %then, label %done
then:
  %bits = load i32, ptr @u
  br label %done
done:
  ret void
}
