; Release sequence: a reader synchronizes with every release in the chain
; REF: Batty, Owens, Sarkar, Sewell, Weber: Mathematizing C++ concurrency, POPL 2011
; The middle thread's read-modify-write is a release but no acquire: it adds its own release, and passes on that
; of the first.
; EXISTS: t2:%flag = 2 /\ (t2:%a = 0 \/ t2:%b = 0)
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@y = global i32 0
@flag = global i32 0

define void @t0() {
  store i32 1, ptr @x
  store atomic i32 1, ptr @flag release, align 4
  ret void
}

define void @t1() {
  store i32 1, ptr @y
  %old = atomicrmw add ptr @flag, i32 1 release, align 4
  ret void
}

define void @t2() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %taken = icmp eq i32 %flag, 2
  br i1 %taken, label %then, label %done
then:
  %a = load i32, ptr @x
  %b = load i32, ptr @y
  br label %done
done:
  ret void
}
