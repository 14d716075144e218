; Java causality test case 2: two equal reads of one location, and a branch on their equality
; REF: Pugh et al.: Causality test cases for the Java memory model, 2004
; REF: Boehm, Demsky: Outlawing ghosts: avoiding out-of-thin-air results, MSPC 2014
; Java allows it, because a compiler can merge the reads. The model is stricter, as in JCTC-01.
; EXISTS: t0:%a = 1 /\ t0:%b = 1 /\ t1:%r1 = 1
; EXPECT: llvm=Never llvm/rc11=Never llvm/none=Sometimes
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  %a = load atomic i32, ptr @x monotonic, align 4
  %b = load atomic i32, ptr @x monotonic, align 4
  %equal = icmp eq i32 %a, %b
  br i1 %equal, label %then, label %done
then:
  store atomic i32 1, ptr @y monotonic, align 4
  br label %done
done:
  ret void
}

define void @t1() {
  %r1 = load atomic i32, ptr @y monotonic, align 4
  store atomic i32 %r1, ptr @x monotonic, align 4
  ret void
}
