; A write to constant memory is undefined behaviour, whoever computes its address
; REF: LangRef, Global Variables ("the contents of the variable will never be modified")
; The index that @t0 reads says which of two cells it writes: the second one is a constant.
; EXISTS: t1:%r = 2
; EXPECT: sc=Never+ub-address+ub rc11=Never+ub-address+ub llvm=Never+ub-address+ub amdgpu=Never+ub-address+ub

@cell = global i32 0
@limit = constant i32 2
@index = global i32 0

define void @t0() {
  %index = load atomic i32, ptr @index monotonic, align 4
  %second = icmp eq i32 %index, 1
  %where = select i1 %second, ptr @limit, ptr @cell
  store atomic i32 1, ptr %where monotonic, align 4
  ret void
}

define void @t1() {
  store atomic i32 1, ptr @index monotonic, align 4
  %r = load atomic i32, ptr @cell monotonic, align 4
  ret void
}
