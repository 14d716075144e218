; An unreachable default of a switch that is never taken has no effect
; REF: LLVM LangRef, unreachable instruction
; FORALL: (t1:%r = 0 /\ @y = 10) \/ (t1:%r = 1 /\ @y = 20)
; EXPECT: llvm=Always
; EXPECT: rc11=Always sc=Always tso=Always

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}

define void @t1() {
  %r = load atomic i32, ptr @x monotonic, align 4
  switch i32 %r, label %default [
    i32 0, label %zero
    i32 1, label %one
  ]
zero:
  store i32 10, ptr @y
  br label %done
one:
  store i32 20, ptr @y
  br label %done
default:
  unreachable
done:
  ret void
}
