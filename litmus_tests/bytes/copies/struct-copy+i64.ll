; The same copy by an integer of 64 bits, as clang -O2 makes of it: both fields are undef
; REF: LLVM LangRef, Undefined Values
; REF: the semantics, section 8, Bytes: a scalar with an undef byte is undef as a whole
; The neighbour of struct-copy+memcpy, and no refinement of it by the semantics' choice. Were undef a matter of bits,
; the integer would keep the first field. InstCombine turns a memcpy of 8 bytes into a load and a store of an integer.
; FORALL: t1:%a = undef /\ t1:%b = undef
; EXPECT: llvm=Always+race amdgpu=Always+race
; EXPECT: rc11=Never+race sc=Never tso=Never
;
; clang-16 -O2 -S -emit-llvm, of
;
; | struct pair { int a, b; } s, d;
; |
; | void copy(void) { d = s; }  // the first two instructions of t1

%pair = type { i32, i32 }
@s = global %pair { i32 1, i32 2 }
@d = global %pair zeroinitializer

define void @t0() {
  %p = getelementptr %pair, ptr @s, i32 0, i32 1
  store i32 3, ptr %p
  ret void
}

define void @t1() {
  %whole = load i64, ptr @s, align 4
  store i64 %whole, ptr @d, align 4
  %q = getelementptr %pair, ptr @d, i32 0, i32 1
  %a = load i32, ptr @d
  %b = load i32, ptr %q
  ret void
}
