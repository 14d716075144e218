; An acquire load that reads a stored undef synchronizes
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; REF: LLVM LangRef, Undefined Values
; The load has a write to read from, only its value is undef; frozen, it can be 1 only if that write was read.
; EXISTS: t1:%set = 1 /\ t1:%data = 0
; EXPECT: llvm=Never

@data = global i32 0
@flag = global i32 0

define void @t0() {
  store i32 1, ptr @data
  store atomic i32 undef, ptr @flag release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %fixed = freeze i32 %flag
  %set = icmp eq i32 %fixed, 1
  br i1 %set, label %then, label %done
then:
  %data = load i32, ptr @data
  br label %done
done:
  ret void
}
