; S with plain stores: ordered stores do not race, and the last one stays
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; The location order makes the second store the only one that no other follows.
; EXISTS: t1:%r = 1 /\ @x = 2
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  store i32 2, ptr @x
  store atomic i32 1, ptr @y release, align 4
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
