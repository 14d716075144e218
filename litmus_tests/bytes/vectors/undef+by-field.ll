; A load of a struct with a racy field: the other field is there
; REF: LLVM LangRef, extractvalue instruction
; REF: LLVM LangRef, Undefined Values
; FORALL: t1:%a = 1 /\ t1:%b = undef
; EXPECT: llvm=Always+race amdgpu=Always+race
; EXPECT: rc11=Never+race sc=Never tso=Never

%pair = type { i32, i32 }
@s = global %pair { i32 1, i32 2 }

define void @t0() {
  %p = getelementptr %pair, ptr @s, i32 0, i32 1
  store i32 3, ptr %p
  ret void
}

define void @t1() {
  %s = load %pair, ptr @s
  %a = extractvalue %pair %s, 0
  %b = extractvalue %pair %s, 1
  ret void
}
