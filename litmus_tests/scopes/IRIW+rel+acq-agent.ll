; Scopes: agent-scoped release and acquire do not make readers in different workgroups agree
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; REF: AMDGPU memory model, sync scopes
; The weak side of IRIW+sc-agent.
; SCOPES: (agent (workgroup t0) (workgroup t1) (workgroup t2) (workgroup t3))
; EXISTS: t2:%a = 1 /\ t2:%b = 0 /\ t3:%c = 1 /\ t3:%d = 0
; EXPECT: llvm=Sometimes

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x syncscope("agent") release, align 4
  ret void
}

define void @t1() {
  store atomic i32 1, ptr @y syncscope("agent") release, align 4
  ret void
}

define void @t2() {
  %a = load atomic i32, ptr @x syncscope("agent") acquire, align 4
  %b = load atomic i32, ptr @y syncscope("agent") acquire, align 4
  ret void
}

define void @t3() {
  %c = load atomic i32, ptr @y syncscope("agent") acquire, align 4
  %d = load atomic i32, ptr @x syncscope("agent") acquire, align 4
  ret void
}
