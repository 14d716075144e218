; Scopes: the initial write belongs to every scope instance
; REF: AMDGPU memory model, sync scopes
; Otherwise no narrow atomic could ever read an initial value.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; FORALL: t0:%r = 0 /\ t1:%r = 0
; EXPECT: llvm=Always

@x = global i32 0

define void @t0() {
  %r = load atomic i32, ptr @x syncscope("workgroup") monotonic, align 4
  ret void
}

define void @t1() {
  %r = load atomic i32, ptr @x syncscope("wavefront") monotonic, align 4
  ret void
}
