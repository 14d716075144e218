; Scopes: workgroup-scoped seq_cst forbids store buffering inside a workgroup
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017
; REF: AMDGPU memory model, sync scopes
; REF: Hower et al.: Heterogeneous-race-free memory models, ASPLOS 2014
; SCOPES: (agent (workgroup t0 t1))
; EXISTS: t0:%r0 = 0 /\ t1:%r1 = 0
; EXPECT: llvm=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x syncscope("workgroup") seq_cst, align 4
  %r0 = load atomic i32, ptr @y syncscope("workgroup") seq_cst, align 4
  ret void
}

define void @t1() {
  store atomic i32 1, ptr @y syncscope("workgroup") seq_cst, align 4
  %r1 = load atomic i32, ptr @x syncscope("workgroup") seq_cst, align 4
  ret void
}
