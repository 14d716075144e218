; Two threads meet: each says that it is ready every time that it looks whether the other one is
; REF: the semantics, section 9 (loops that wait)
; What is stored again nobody can tell from what was stored first, as no other thread writes there.
; EXISTS: t0:%data = 0 \/ t1:%data = 0
; EXPECT: llvm=Never amdgpu=Never
; EXPECT: rc11=Never sc=Never tso=Never

@left = global i32 0
@right = global i32 0
@here = global i32 0
@there = global i32 0

define void @t0() {
  store i32 1, ptr @left
  br label %look
look:
  store atomic i32 1, ptr @here release, align 4
  %ready = load atomic i32, ptr @there acquire, align 4
  %met = icmp eq i32 %ready, 1
  br i1 %met, label %go, label %look
go:
  %data = load i32, ptr @right
  ret void
}

define void @t1() {
  store i32 1, ptr @right
  br label %look
look:
  store atomic i32 1, ptr @there release, align 4
  %ready = load atomic i32, ptr @here acquire, align 4
  %met = icmp eq i32 %ready, 1
  br i1 %met, label %go, label %look
go:
  %data = load i32, ptr @left
  ret void
}
