; Release sequence: a monotonic read-modify-write of the same thread continues it
; REF: Batty, Owens, Sarkar, Sewell, Weber: Mathematizing C++ concurrency, POPL 2011 (release sequences)
; REF: Boehm, Giroux, Vafeiadis: P0982R1, Weaken release sequences (C++20)
; EXISTS: t1:%flag = 2 /\ t1:%data = 0
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@data = global i32 0
@flag = global i32 0

define void @t0() {
  store i32 1, ptr @data
  store atomic i32 1, ptr @flag release, align 4
  %old = atomicrmw add ptr @flag, i32 1 monotonic, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %taken = icmp eq i32 %flag, 2
  br i1 %taken, label %then, label %done
then:
  %data = load i32, ptr @data
  br label %done
done:
  ret void
}
