; Threads share one kernel: an argument selects writer or reader
; REF: Boehm, Adve: Foundations of the C++ concurrency memory model, PLDI 2008
; A branch on an argument is a branch on a constant.
; THREADS: writer=@kernel(i1 true) reader=@kernel(i1 false)
; EXISTS: reader:%flag = 1 /\ reader:%data = 0
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@data = global i32 0
@flag = global i32 0

define void @kernel(i1 %writes) {
  br i1 %writes, label %write, label %read
write:
  store i32 1, ptr @data
  store atomic i32 1, ptr @flag release, align 4
  br label %done
read:
  %flag = load atomic i32, ptr @flag acquire, align 4
  %taken = icmp eq i32 %flag, 1
  br i1 %taken, label %then, label %done
then:
  %data = load i32, ptr @data
  br label %done
done:
  ret void
}
