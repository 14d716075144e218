; A lock of cmpxchg acquire and store release protects a plain counter
; REF: Boehm, Adve: Foundations of the C++ concurrency memory model, PLDI 2008
; If both threads get the lock, no increment is lost and nothing races.
; EXISTS: t0:%won = 1 /\ t1:%won = 1 /\ @count = 1
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@lock = global i32 0
@count = global i32 0

define void @t0() {
  %pair = cmpxchg ptr @lock, i32 0, i32 1 acquire monotonic, align 4
  %won = extractvalue { i32, i1 } %pair, 1
  br i1 %won, label %then, label %done
then:
  %old = load i32, ptr @count
  %new = add i32 %old, 1
  store i32 %new, ptr @count
  store atomic i32 0, ptr @lock release, align 4
  br label %done
done:
  ret void
}

define void @t1() {
  %pair = cmpxchg ptr @lock, i32 0, i32 1 acquire monotonic, align 4
  %won = extractvalue { i32, i1 } %pair, 1
  br i1 %won, label %then, label %done
then:
  %old = load i32, ptr @count
  %new = add i32 %old, 1
  store i32 %new, ptr @count
  store atomic i32 0, ptr @lock release, align 4
  br label %done
done:
  ret void
}
