; A half of a word, written before the release: the word has it, and the old other half
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; The word is 0x11113333 where the flag is seen.
; EXISTS: t1:%flag = 1 /\ ~(t1:%word = 286339891)
; EXPECT: llvm=Never amdgpu=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 286335522  ; 0x11112222
@flag = global i32 0

define void @t0() {
  store i16 13107, ptr @x  ; 0x3333
  store atomic i32 1, ptr @flag release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %taken = icmp eq i32 %flag, 1
  br i1 %taken, label %then, label %done
then:
  %word = load i32, ptr @x
  br label %done
done:
  ret void
}
