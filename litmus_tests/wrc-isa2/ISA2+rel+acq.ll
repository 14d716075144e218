; ISA2: happens-before is transitive through a middle thread
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; REF: Boehm, Adve: Foundations of the C++ concurrency memory model, PLDI 2008
; The data is plain: two synchronizations in a row order it.
; EXISTS: t2:%b = 1 /\ t2:%c = 0
; EXPECT: llvm=Never llvm/direct=Never llvm/filtered=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@y = global i32 0
@z = global i32 0

define void @t0() {
  store i32 1, ptr @x
  store atomic i32 1, ptr @y release, align 4
  ret void
}

define void @t1() {
  %a = load atomic i32, ptr @y acquire, align 4
  %taken = icmp eq i32 %a, 1
  br i1 %taken, label %then, label %done
then:
  store atomic i32 1, ptr @z release, align 4
  br label %done
done:
  ret void
}

define void @t2() {
  %b = load atomic i32, ptr @z acquire, align 4
  %taken = icmp eq i32 %b, 1
  br i1 %taken, label %then, label %done
then:
  %c = load i32, ptr @x
  br label %done
done:
  ret void
}
