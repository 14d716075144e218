; Reference count: a release decrement and an acquire fence in the last owner protect the object
; REF: Boehm, Adve: Foundations of the C++ concurrency memory model, PLDI 2008
; Each owner reads the object and gives up its count; the last one destroys the object, here by a store of 7.
; EXISTS: (t0:%count = 2 /\ t0:%mine = 7) \/ (t1:%count = 2 /\ t1:%mine = 7)
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@owners = global i32 2
@object = global i32 0

define void @t0() {
  %mine = load i32, ptr @object
  %count = atomicrmw sub ptr @owners, i32 1 release, align 4
  %taken = icmp eq i32 %count, 1
  br i1 %taken, label %then, label %done
then:
  fence acquire
  store i32 7, ptr @object
  br label %done
done:
  ret void
}

define void @t1() {
  %mine = load i32, ptr @object
  %count = atomicrmw sub ptr @owners, i32 1 release, align 4
  %taken = icmp eq i32 %count, 1
  br i1 %taken, label %then, label %done
then:
  fence acquire
  store i32 7, ptr @object
  br label %done
done:
  ret void
}
