; Scopes: concurrent agent-scoped stores leave one of the values in memory
; REF: AMDGPU memory model, sync scopes
; REF: Hower et al.: Heterogeneous-race-free memory models, ASPLOS 2014
; The strong side of narrow+final.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; FORALL: @x = 1 \/ @x = 2
; EXPECT: llvm=Always

@x = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x syncscope("agent") monotonic, align 4
  ret void
}

define void @t1() {
  store atomic i32 2, ptr @x syncscope("agent") monotonic, align 4
  ret void
}
