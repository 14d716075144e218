; Reference count: a monotonic decrement does not protect the object
; REF: Boehm, Adve: Foundations of the C++ concurrency memory model, PLDI 2008
; One notch weaker than refcount+rel+acq: the other owner's read races with the destruction.
; EXISTS: (t0:%count = 2 /\ t0:%mine = 7) \/ (t1:%count = 2 /\ t1:%mine = 7)
; EXPECT: llvm=Sometimes+race
; EXPECT: rc11=Never+race sc=Never tso=Never

@owners = global i32 2
@object = global i32 0

define void @t0() {
  %mine = load i32, ptr @object
  %count = atomicrmw sub ptr @owners, i32 1 monotonic, align 4
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
  %count = atomicrmw sub ptr @owners, i32 1 monotonic, align 4
  %taken = icmp eq i32 %count, 1
  br i1 %taken, label %then, label %done
then:
  fence acquire
  store i32 7, ptr @object
  br label %done
done:
  ret void
}
