; Release sequence: a load acquire and a store release pass the order on without one
; REF: Batty, Owens, Sarkar, Sewell, Weber: Mathematizing C++ concurrency, POPL 2011
; Two synchronizations in a row, as in ISA2.
; EXISTS: t2:%flag = 2 /\ t2:%data = 0
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@data = global i32 0
@flag = global i32 0

define void @t0() {
  store i32 1, ptr @data
  store atomic i32 1, ptr @flag release, align 4
  ret void
}

define void @t1() {
  %seen = load atomic i32, ptr @flag acquire, align 4
  %next = add i32 %seen, 1
  store atomic i32 %next, ptr @flag release, align 4
  ret void
}

define void @t2() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %taken = icmp eq i32 %flag, 2
  br i1 %taken, label %then, label %done
then:
  %data = load i32, ptr @data
  br label %done
done:
  ret void
}
