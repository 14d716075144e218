; Only executions that race read undef
; NEVER: t1:%data = undef /\ ~race
; EXPECT: llvm=Never+race
; EXPECT: amdgpu=Never+race
@data = global i32 0
@flag = global i32 0
define void @t0() {
  store i32 1, ptr @data
  store atomic i32 1, ptr @flag release, align 4
  ret void
}
define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %data = load i32, ptr @data
  ret void
}
