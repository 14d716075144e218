; The same copy by a vector, as clang -O2 makes of two assignments: the fields stay apart
; REF: LLVM LangRef, Vector Type
; REF: LLVM LangRef, Undefined Values
; The neighbour of struct-copy+i64.
; FORALL: t1:%a = 1 /\ t1:%b = undef
; EXPECT: llvm=Always+race amdgpu=Always+race
; EXPECT: rc11=Never+race sc=Never tso=Never
;
; clang-16 -O2 -S -emit-llvm, of
;
; | struct pair { int a, b; } s, d;
; |
; | void copy(void) { d.a = s.a; d.b = s.b; }  // the first two instructions of t1

%pair = type { i32, i32 }
@s = global %pair { i32 1, i32 2 }
@d = global %pair zeroinitializer

define void @t0() {
  %p = getelementptr %pair, ptr @s, i32 0, i32 1
  store i32 3, ptr %p
  ret void
}

define void @t1() {
  %both = load <2 x i32>, ptr @s, align 4
  store <2 x i32> %both, ptr @d, align 4
  %q = getelementptr %pair, ptr @d, i32 0, i32 1
  %a = load i32, ptr @d
  %b = load i32, ptr %q
  ret void
}
