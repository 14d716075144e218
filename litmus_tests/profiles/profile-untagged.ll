; Without tags and outside of address spaces all four profiles are one model
; REF: the semantics, section 2, target profiles
; Plain message passing.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm@generic=Never llvm@strict=Never llvm@vulkan=Never llvm@amdgpu=Never
; EXPECT: rc11=Never sc=Never tso=Never
@data = global i32 0
@flag = global i32 0
define void @t0() {
  store i32 1, ptr @data
  store atomic i32 1, ptr @flag release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr @data
  br label %done

done:
  ret void
}
