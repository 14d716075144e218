; Release sequence: a release fence covers every later monotonic store
; REF: Batty, Owens, Sarkar, Sewell, Weber: Mathematizing C++ concurrency, POPL 2011
; REF: Boehm, Giroux, Vafeiadis: P0982R1, Weaken release sequences (C++20)
; The fence, not the first store, is what the reader synchronizes with.
; EXISTS: t1:%flag = 2 /\ t1:%data = 0
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@data = global i32 0
@flag = global i32 0

define void @t0() {
  store i32 1, ptr @data
  fence release
  store atomic i32 1, ptr @flag monotonic, align 4
  store atomic i32 2, ptr @flag monotonic, align 4
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
