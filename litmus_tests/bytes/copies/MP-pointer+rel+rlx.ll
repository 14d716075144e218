; A struct with a pointer, copied and published, but not acquired: a load through the pointer is undefined
; REF: LLVM LangRef, Standard C/C++ Library Intrinsics
; REF: LLVM LangRef, Undefined Values
; The neighbour of MP-pointer+rel+acq: the pointer is undef.
; EXISTS: t1:%flag = 1 /\ t1:%p = &@x
; EXPECT: llvm=Never+ub-undef+ub amdgpu=Never+ub-undef+ub

%node = type { i32, ptr }
@x = global i32 0
@from = global %node { i32 7, ptr @x }
@node = global %node zeroinitializer
@flag = global i32 0

define void @t0() {
  store i32 1, ptr @x
  call void @llvm.memcpy.p0.p0.i64(ptr @node, ptr @from, i64 16, i1 false)
  store atomic i32 1, ptr @flag release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag monotonic, align 4
  %taken = icmp eq i32 %flag, 1
  br i1 %taken, label %then, label %done
then:
  %field = getelementptr %node, ptr @node, i32 0, i32 1
  %p = load ptr, ptr %field
  %x = load i32, ptr %p
  br label %done
done:
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
