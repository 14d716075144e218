; Scopes: concurrent narrow stores of different workgroups leave undef in memory
; REF: AMDGPU memory model, sync scopes
; REF: Hower et al.: Heterogeneous-race-free memory models, ASPLOS 2014
; Their scopes do not include each other, so no order decides.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: @x = undef
; EXPECT: llvm=Always+race

@x = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x syncscope("workgroup") monotonic, align 4
  ret void
}

define void @t1() {
  store atomic i32 2, ptr @x syncscope("workgroup") monotonic, align 4
  ret void
}
