; A function returns from several places
; REF: LLVM LangRef, ret instruction
; The value returned depends on what was read, so it carries the dependency.
; FORALL: (t1:%r = 0 /\ t1:%v = 20) \/ (t1:%r = 1 /\ t1:%v = 10)
; EXPECT: llvm=Always
; EXPECT: rc11=Always sc=Always tso=Always

@x = global i32 0

define i32 @classify(i32 %n) {
  %one = icmp eq i32 %n, 1
  br i1 %one, label %yes, label %no
yes:
  ret i32 10
no:
  ret i32 20
}

define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}

define void @t1() {
  %r = load atomic i32, ptr @x monotonic, align 4
  %v = call i32 @classify(i32 %r)
  ret void
}
