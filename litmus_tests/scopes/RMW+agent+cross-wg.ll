; Scopes: agent-scoped fetch_add of different workgroups loses nothing
; REF: AMDGPU memory model, sync scopes
; REF: Hower et al.: Heterogeneous-race-free memory models, ASPLOS 2014
; The strong side of RMW+wg+cross-wg.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; FORALL: @x = 2
; EXPECT: llvm=Always

@x = global i32 0

define void @t0() {
  %r = atomicrmw add ptr @x, i32 1 syncscope("agent") monotonic, align 4
  ret void
}

define void @t1() {
  %r = atomicrmw add ptr @x, i32 1 syncscope("agent") monotonic, align 4
  ret void
}
