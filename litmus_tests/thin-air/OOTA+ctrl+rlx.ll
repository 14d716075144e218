; Out of thin air: a store that is only reached because of its own consequence is not reached
; REF: Boehm, Adve: Foundations of the C++ concurrency memory model, PLDI 2008
; REF: Boehm, Demsky: Outlawing ghosts: avoiding out-of-thin-air results, MSPC 2014
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017
; EXISTS: @x = 1 \/ @y = 1
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
  %taken = icmp eq i32 %r1, 1
  br i1 %taken, label %then, label %done
then:
  store atomic i32 1, ptr @x monotonic, align 4
  br label %done
done:
  ret void
}
