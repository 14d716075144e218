; A read in scope of two writes that are not in scope of each other is undef
; REF: LLVM LangRef, sync scopes
; Each write alone has an inclusive scope with the read; what is read and all that may be read must have it pairwise.
; SCOPES: (agent (workgroup t0 t1) (workgroup t2))
; FORALL: t1:%x = undef
; EXPECT: llvm=Always+race
; EXPECT: amdgpu=Always+race
; EXPECT: amdgpu-2026=Always+race

@x = addrspace(1) global i32 0

define void @t0() {
  store atomic i32 1, ptr addrspace(1) @x syncscope("workgroup") monotonic, align 4
  ret void
}

define void @t1() {
  %x = load atomic i32, ptr addrspace(1) @x syncscope("agent") monotonic, align 4
  ret void
}

define void @t2() {
  store atomic i32 2, ptr addrspace(1) @x syncscope("agent") monotonic, align 4
  ret void
}
