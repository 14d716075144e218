; A store to the first half of a big-endian word changes its high half
; REF: LLVM LangRef, Data Layout
; The neighbour of half+before.
; EXISTS: t1:%flag = 1 /\ ~(t1:%word = 858989090)
; EXPECT: llvm=Never amdgpu=Never
; EXPECT: rc11=Never sc=Never tso=Never

target datalayout = "E-p:64:64"

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
