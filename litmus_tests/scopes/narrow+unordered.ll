; Scopes: narrow atomics of different workgroups race if nothing orders them
; REF: Hower et al.: Heterogeneous-race-free memory models, ASPLOS 2014
; REF: AMDGPU memory model, sync scopes
; The weak side of narrow+ordered.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%x = undef
; EXPECT: llvm=Always+race

@x = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x syncscope("workgroup") monotonic, align 4
  ret void
}

define void @t1() {
  %x = load atomic i32, ptr @x syncscope("workgroup") monotonic, align 4
  ret void
}
