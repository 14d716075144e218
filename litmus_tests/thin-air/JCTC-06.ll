; Java causality test case 6: a store in both arms of a branch still depends on it
; REF: Pugh et al.: Causality test cases for the Java memory model, 2004
; REF: Boehm, Demsky: Outlawing ghosts: avoiding out-of-thin-air results, MSPC 2014
; Java allows it, because a compiler can hoist the store. The model is stricter, as in JCTC-01.
; EXISTS: t0:%r0 = 1 /\ t1:%r1 = 1
; EXPECT: llvm=Never llvm/rc11=Never llvm/none=Sometimes
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  %r0 = load atomic i32, ptr @x monotonic, align 4
  %taken = icmp eq i32 %r0, 1
  br i1 %taken, label %then, label %done
then:
  store atomic i32 1, ptr @y monotonic, align 4
  br label %done
done:
  ret void
}

define void @t1() {
  %r1 = load atomic i32, ptr @y monotonic, align 4
  %one = icmp eq i32 %r1, 1
  br i1 %one, label %then, label %otherwise
then:
  store atomic i32 1, ptr @x monotonic, align 4
  br label %join
otherwise:
  store atomic i32 1, ptr @x monotonic, align 4
  br label %join
join:
  ret void
}
