; Two writes that are not in scope of each other leave memory undef, whatever a third is in scope of
; REF: LLVM LangRef, sync scopes
; The write of t1 has an inclusive scope with either of the others.
; SCOPES: (agent (workgroup t0 t1) (workgroup t2))
; FORALL: @x = undef
; EXPECT: llvm=Always+race
; EXPECT: amdgpu=Always+race
; EXPECT: amdgpu-2026=Always+race

@x = addrspace(1) global i32 0

define void @t0() {
  store atomic i32 1, ptr addrspace(1) @x syncscope("workgroup") monotonic, align 4
  ret void
}

define void @t1() {
  store atomic i32 3, ptr addrspace(1) @x syncscope("agent") monotonic, align 4
  ret void
}

define void @t2() {
  store atomic i32 2, ptr addrspace(1) @x syncscope("agent") monotonic, align 4
  ret void
}
