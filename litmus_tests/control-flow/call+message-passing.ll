; Calls of functions of the module are inlined
; REF: LLVM LangRef, call instruction
; Message passing through two helpers; a result goes to a register of the caller.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@data = global i32 0
@flag = global i32 0

define void @publish(ptr %where, i32 %what) {
  store i32 %what, ptr %where
  store atomic i32 1, ptr @flag release, align 4
  ret void
}

define i32 @poll(ptr %where) {
  %seen = load atomic i32, ptr %where acquire, align 4
  ret i32 %seen
}

define void @t0() {
  call void @publish(ptr @data, i32 1)
  ret void
}

define void @t1() {
  %flag = call i32 @poll(ptr @flag)
  %taken = icmp eq i32 %flag, 1
  br i1 %taken, label %then, label %done
then:
  %data = load i32, ptr @data
  br label %done
done:
  ret void
}
