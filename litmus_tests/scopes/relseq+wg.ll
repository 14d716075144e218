; Scopes: a release sequence ends at a read-modify-write whose scope is too narrow for the reader
; REF: AMDGPU memory model, sync scopes
; REF: Hower et al.: Heterogeneous-race-free memory models, ASPLOS 2014
; The middle thread shares a workgroup with the writer, not with the reader: the flag races.
; SCOPES: (agent (workgroup t0 t1) (workgroup t2))
; EXISTS: t2:%flag = 2 /\ t2:%data = 0
; EXPECT: llvm=Sometimes+race

@data = global i32 0
@flag = global i32 0

define void @t0() {
  store i32 1, ptr @data
  store atomic i32 1, ptr @flag syncscope("agent") release, align 4
  ret void
}

define void @t1() {
  %old = atomicrmw add ptr @flag, i32 1 syncscope("workgroup") monotonic, align 4
  ret void
}

define void @t2() {
  %flag = load atomic i32, ptr @flag syncscope("agent") acquire, align 4
  %data = load i32, ptr @data
  ret void
}
