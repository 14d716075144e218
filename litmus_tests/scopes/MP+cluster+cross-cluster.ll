; Scopes: cluster scope fails across clusters
; REF: AMDGPU memory model, sync scopes
; The weak side of MP+cluster+skipped-level.
; SCOPES: (agent (cluster (workgroup t0)) (cluster (workgroup t1)))
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Sometimes+race

@data = global i32 0
@flag = global i32 0

define void @t0() {
  store i32 1, ptr @data
  store atomic i32 1, ptr @flag syncscope("cluster") release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag syncscope("cluster") acquire, align 4
  %data = load i32, ptr @data
  ret void
}
