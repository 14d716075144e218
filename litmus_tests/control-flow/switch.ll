; A switch goes to the case of the value, or to the default
; REF: LLVM LangRef, switch instruction
; FORALL: (t1:%r = 0 /\ @y = 30) \/ (t1:%r = 1 /\ @y = 10) \/ (t1:%r = 2 /\ @y = 20)
; EXPECT: llvm=Always
; EXPECT: rc11=Always sc=Always tso=Always

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  store atomic i32 2, ptr @x monotonic, align 4
  ret void
}

define void @t1() {
  %r = load atomic i32, ptr @x monotonic, align 4
  switch i32 %r, label %default [
    i32 1, label %one
    i32 2, label %two
  ]
one:
  store i32 10, ptr @y
  br label %done
two:
  store i32 20, ptr @y
  br label %done
default:
  store i32 30, ptr @y
  br label %done
done:
  ret void
}
