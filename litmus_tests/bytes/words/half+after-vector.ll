; The same word, read as a vector of two halves: only the racy element is undef
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; REF: LLVM LangRef, Vector Type
; The neighbour of half+after: vectors keep undef by element.
; EXISTS: t1:%flag = 1 /\ t1:%halves = <13107, undef>
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
  %halves = load <2 x i16>, ptr @x
  br label %done
done:
  ret void
}
