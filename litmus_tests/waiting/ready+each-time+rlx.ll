; Two threads meet too weakly: that the other one is ready does not say that its data is there
; REF: the semantics, section 9 (loops that wait)
; One order weaker than ready+each-time.
; EXISTS: t0:%data = 0 \/ t1:%data = 0
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race
; EXPECT: rc11=Sometimes+race sc=Never tso=Never

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
  store atomic i32 1, ptr @there monotonic, align 4
  %ready = load atomic i32, ptr @here acquire, align 4
  %met = icmp eq i32 %ready, 1
  br i1 %met, label %go, label %look
go:
  %data = load i32, ptr @left
  ret void
}
