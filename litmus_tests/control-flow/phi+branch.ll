; A phi takes the value of the way that was gone
; REF: LLVM LangRef, phi instruction
; EXISTS: t1:%r = 1 /\ @y = 20
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}

define void @t1() {
  %r = load atomic i32, ptr @x monotonic, align 4
  %one = icmp eq i32 %r, 1
  br i1 %one, label %yes, label %no
yes:
  br label %join
no:
  br label %join
join:
  %v = phi i32 [ 10, %yes ], [ 20, %no ]
  store i32 %v, ptr @y
  ret void
}
