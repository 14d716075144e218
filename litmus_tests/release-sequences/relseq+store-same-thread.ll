; Release sequence: since C++20 a later monotonic store of the same thread is not part of it
; REF: Boehm, Giroux, Vafeiadis: P0982R1, Weaken release sequences (C++20)
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017
; A reader of the second store does not synchronize with the release. RC11 (2017) still has the older, longer
; sequence.
; EXISTS: t1:%flag = 2 /\ t1:%data = 0
; EXPECT: llvm=Sometimes+race
; EXPECT: rc11=Never sc=Never tso=Never

@data = global i32 0
@flag = global i32 0

define void @t0() {
  store i32 1, ptr @data
  store atomic i32 1, ptr @flag release, align 4
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
