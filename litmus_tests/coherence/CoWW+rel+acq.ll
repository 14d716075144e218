; CoWW: an overwritten value is hidden from a reader that is ordered after
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; The reader may see a write only if no other write stands between in location order.
; EXISTS: t1:%flag = 1 /\ t1:%x = 1
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@flag = global i32 0

define void @t0() {
  store i32 1, ptr @x
  store i32 2, ptr @x
  store atomic i32 1, ptr @flag release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %taken = icmp eq i32 %flag, 1
  br i1 %taken, label %then, label %done
then:
  %x = load i32, ptr @x
  br label %done
done:
  ret void
}
