; Out of thin air on plain memory: a race that would justify itself does not exist
; REF: Boehm, Adve: Foundations of the C++ concurrency memory model, PLDI 2008
; REF: Boehm, Demsky: Outlawing ghosts: avoiding out-of-thin-air results, MSPC 2014
; Sequentially the stores are never reached, so the program has no race. An undef read ends its thread at the
; branch, before the store that the other thread would race with; so no variant has this outcome.
; EXISTS: t0:%r0 = 1 \/ t1:%r1 = 1
; EXPECT: llvm=Never llvm/rc11=Never llvm/none=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  %r0 = load i32, ptr @x
  %taken = icmp eq i32 %r0, 1
  br i1 %taken, label %then, label %done
then:
  store i32 1, ptr @y
  br label %done
done:
  ret void
}

define void @t1() {
  %r1 = load i32, ptr @y
  %taken = icmp eq i32 %r1, 1
  br i1 %taken, label %then, label %done
then:
  store i32 1, ptr @x
  br label %done
done:
  ret void
}
