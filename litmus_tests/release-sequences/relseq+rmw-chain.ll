; Release sequence: a chain of read-modify-writes of several threads continues it
; REF: Batty, Owens, Sarkar, Sewell, Weber: Mathematizing C++ concurrency, POPL 2011 (release sequences)
; EXISTS: t3:%flag = 3 /\ t3:%data = 0
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
  %old1 = atomicrmw add ptr @flag, i32 1 monotonic, align 4
  ret void
}

define void @t2() {
  %old2 = atomicrmw add ptr @flag, i32 1 monotonic, align 4
  ret void
}

define void @t3() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %taken = icmp eq i32 %flag, 3
  br i1 %taken, label %then, label %done
then:
  %data = load i32, ptr @data
  br label %done
done:
  ret void
}
