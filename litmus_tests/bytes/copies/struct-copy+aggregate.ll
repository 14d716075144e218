; The same copy by a load and a store of the struct: the fields stay apart
; REF: LLVM LangRef, Undefined Values
; REF: LLVM LangRef, Structure Type
; The neighbour of struct-copy+i64.
; FORALL: t1:%a = 1 /\ t1:%b = undef
; EXPECT: llvm=Always+race amdgpu=Always+race
; EXPECT: rc11=Never+race sc=Never tso=Never

%pair = type { i32, i32 }
@s = global %pair { i32 1, i32 2 }
@d = global %pair zeroinitializer

define void @t0() {
  %p = getelementptr %pair, ptr @s, i32 0, i32 1
  store i32 3, ptr %p
  ret void
}

define void @t1() {
  %both = load %pair, ptr @s
  store %pair %both, ptr @d
  %q = getelementptr %pair, ptr @d, i32 0, i32 1
  %a = load i32, ptr @d
  %b = load i32, ptr %q
  ret void
}
