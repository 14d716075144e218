; A half of a word that is written after the release races with a reader of the word
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; REF: LLVM LangRef, Undefined Values
; The low half is published, the high half is not: the word is undef as a whole.
; EXISTS: t1:%flag = 1 /\ t1:%word = undef
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race
; EXPECT: rc11=Never+race sc=Never tso=Never

@x = global i32 286335522  ; 0x11112222
@flag = global i32 0

define void @t0() {
  store i16 13107, ptr @x
  store atomic i32 1, ptr @flag release, align 4
  %high = getelementptr i8, ptr @x, i64 2
  store i16 17476, ptr %high  ; 0x4444
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
