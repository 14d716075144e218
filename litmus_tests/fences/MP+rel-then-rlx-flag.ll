; Fences: a release store does not serve a later monotonic store, as a fence would
; REF: Batty, Owens, Sarkar, Sewell, Weber: Mathematizing C++ concurrency, POPL 2011
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; One notch weaker than MP+fence-two-flags: order comes only from reading the release store itself.
; EXISTS: t1:%g = 1 /\ t1:%a = 0
; EXPECT: llvm=Sometimes+race
; EXPECT: rc11=Sometimes+race sc=Never tso=Never

@data = global i32 0
@flag = global i32 0
@other = global i32 0

define void @t0() {
  store i32 1, ptr @data
  store atomic i32 1, ptr @flag release, align 4
  store atomic i32 1, ptr @other monotonic, align 4
  ret void
}

define void @t1() {
  %g = load atomic i32, ptr @other acquire, align 4
  %taken = icmp eq i32 %g, 1
  br i1 %taken, label %then, label %done
then:
  %a = load i32, ptr @data
  br label %done
done:
  ret void
}
