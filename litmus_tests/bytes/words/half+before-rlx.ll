; A half of a word, published without order: the whole word is undef
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; REF: LLVM LangRef, Undefined Values
; The neighbour of half+before. The other half has one value only, but a scalar with a byte that is undef is undef.
; EXISTS: t1:%flag = 1 /\ t1:%word = undef
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race
; EXPECT: rc11=Never+race sc=Never tso=Never

@x = global i32 286335522  ; 0x11112222
@flag = global i32 0

define void @t0() {
  store i16 13107, ptr @x
  store atomic i32 1, ptr @flag monotonic, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag monotonic, align 4
  %taken = icmp eq i32 %flag, 1
  br i1 %taken, label %then, label %done
then:
  %word = load i32, ptr @x
  br label %done
done:
  ret void
}
