; Message passing through an intermediate flag of the same thread: the last release covers all before it
; REF: Boehm, Adve: Foundations of the C++ concurrency memory model, PLDI 2008
; Happens-before contains program order: a reader of the second flag is ordered after both stores.
; EXISTS: t1:%second = 1 /\ (t1:%first = 0 \/ t1:%data = 0)
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@data = global i32 0
@first = global i32 0
@second = global i32 0

define void @t0() {
  store i32 1, ptr @data
  store atomic i32 1, ptr @first monotonic, align 4
  store atomic i32 1, ptr @second release, align 4
  ret void
}

define void @t1() {
  %second = load atomic i32, ptr @second acquire, align 4
  %taken = icmp eq i32 %second, 1
  br i1 %taken, label %then, label %done
then:
  %first = load atomic i32, ptr @first monotonic, align 4
  %data = load i32, ptr @data
  br label %done
done:
  ret void
}
