; S with plain stores: without release the stores race and leave undef
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; One notch weaker than S+rel+acq+na.
; EXISTS: t1:%r = 1 /\ @x = 2
; EXPECT: llvm=Sometimes+race
; EXPECT: rc11=Sometimes+race sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  store i32 2, ptr @x
  store atomic i32 1, ptr @y monotonic, align 4
  ret void
}

define void @t1() {
  %r = load atomic i32, ptr @y acquire, align 4
  %taken = icmp eq i32 %r, 1
  br i1 %taken, label %then, label %done
then:
  store i32 1, ptr @x
  br label %done
done:
  ret void
}
