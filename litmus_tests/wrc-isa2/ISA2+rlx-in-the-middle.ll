; ISA2: a monotonic read in the middle breaks the chain
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; REF: Boehm, Adve: Foundations of the C++ concurrency memory model, PLDI 2008
; Neither a branch nor a dependency passes happens-before on.
; EXISTS: t2:%b = 1 /\ t2:%c = 0
; EXPECT: llvm=Sometimes+race
; EXPECT: rc11=Sometimes+race sc=Never tso=Never

@x = global i32 0
@y = global i32 0
@z = global i32 0

define void @t0() {
  store i32 1, ptr @x
  store atomic i32 1, ptr @y release, align 4
  ret void
}

define void @t1() {
  %a = load atomic i32, ptr @y monotonic, align 4
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
