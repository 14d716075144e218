; Control dependency: a branch on the flag does not order a later load
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; REF: Maranget, Sarkar, Sewell: A tutorial introduction to the ARM and POWER relaxed memory models, 2012
; The load may be executed ahead of the branch, on processors and by compilers.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Sometimes
; EXPECT: rc11=Sometimes sc=Never tso=Never

@data = global i32 0
@flag = global i32 0

define void @t0() {
  store atomic i32 1, ptr @data monotonic, align 4
  store atomic i32 1, ptr @flag release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag monotonic, align 4
  %taken = icmp eq i32 %flag, 1
  br i1 %taken, label %then, label %done
then:
  %data = load atomic i32, ptr @data monotonic, align 4
  br label %done
done:
  ret void
}
