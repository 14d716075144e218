; Message passing: a flag says that data is ready
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Never
@data = global i32 0
@flag = global i32 0

define void @t0() {
  store i32 1, ptr @data
  store atomic i32 1, ptr @flag release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %seen = icmp eq i32 %flag, 1
  br i1 %seen, label %read, label %done
read:
  %data = load i32, ptr @data
  br label %done
done:
  ret void
}
