; Scopes: wide fences do not help a flag that is too narrow
; REF: AMDGPU memory model, sync scopes
; REF: Hower et al.: Heterogeneous-race-free memory models, ASPLOS 2014
; The accesses between the fences must include each other's thread too.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Sometimes+race

@data = global i32 0
@flag = global i32 0

define void @t0() {
  store i32 1, ptr @data
  fence syncscope("agent") release
  store atomic i32 1, ptr @flag syncscope("workgroup") monotonic, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag syncscope("workgroup") monotonic, align 4
  fence syncscope("agent") acquire
  %data = load i32, ptr @data
  ret void
}
