; Fences: one release fence serves all stores after it, one acquire fence all loads before it
; REF: Batty, Owens, Sarkar, Sewell, Weber: Mathematizing C++ concurrency, POPL 2011
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; A release store orders only through itself; a fence through every later store.
; EXISTS: (t1:%f = 1 /\ t1:%a = 0) \/ (t2:%g = 1 /\ t2:%b = 0)
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@data = global i32 0
@flag = global i32 0
@other = global i32 0

define void @t0() {
  store i32 1, ptr @data
  fence release
  store atomic i32 1, ptr @flag monotonic, align 4
  store atomic i32 1, ptr @other monotonic, align 4
  ret void
}

define void @t1() {
  %f = load atomic i32, ptr @flag acquire, align 4
  %taken = icmp eq i32 %f, 1
  br i1 %taken, label %then, label %done
then:
  %a = load i32, ptr @data
  br label %done
done:
  ret void
}

define void @t2() {
  %g = load atomic i32, ptr @other acquire, align 4
  %taken = icmp eq i32 %g, 1
  br i1 %taken, label %then, label %done
then:
  %b = load i32, ptr @data
  br label %done
done:
  ret void
}
