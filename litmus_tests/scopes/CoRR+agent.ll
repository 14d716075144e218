; Scopes: coherence holds between atomics whose scopes include each other
; REF: Alglave et al.: GPU concurrency: weak behaviours and programming assumptions, ASPLOS 2015
; REF: AMDGPU memory model, sync scopes
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%r0 = 1 /\ t1:%r1 = 0
; EXPECT: llvm=Never

@x = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x syncscope("agent") monotonic, align 4
  ret void
}

define void @t1() {
  %r0 = load atomic i32, ptr @x syncscope("agent") monotonic, align 4
  %r1 = load atomic i32, ptr @x syncscope("agent") monotonic, align 4
  ret void
}
