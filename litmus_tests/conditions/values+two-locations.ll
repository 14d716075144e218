; Two locations are compared by what they hold
; NEVER: ~(@r0 = @r1)
; EXPECT: llvm=Never amdgpu=Never
@r0 = global i32 0
@r1 = global i32 0
define void @t0() {
  store i32 1, ptr @r0
  store i32 1, ptr @r1
  ret void
}
