; Scopes: workgroup-scoped fetch_add of different workgroups is not atomic
; REF: AMDGPU memory model, sync scopes
; REF: Hower et al.: Heterogeneous-race-free memory models, ASPLOS 2014
; Each read may see a write that does not include it: both counts are undef.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t0:%r = undef /\ t1:%r = undef /\ @x = undef
; EXPECT: llvm=Always+race

@x = global i32 0

define void @t0() {
  %r = atomicrmw add ptr @x, i32 1 syncscope("workgroup") monotonic, align 4
  ret void
}

define void @t1() {
  %r = atomicrmw add ptr @x, i32 1 syncscope("workgroup") monotonic, align 4
  ret void
}
