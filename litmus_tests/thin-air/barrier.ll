; No value comes from beyond a barrier, under either axiom against values out of thin air
; REF: the semantics, section 3, axiom 4 ("none from beyond a barrier")
; A barrier is no memory operation, but nobody passes it before all have come. `none` has no such axiom.
; SCOPES: (agent (workgroup t0 t1))
; EXISTS: t0:%x = 1
; EXPECT: llvm=Never llvm/rc11=Never llvm/none=Sometimes
@x = global i32 0
define void @t0() {
  %x = load atomic i32, ptr @x monotonic, align 4
  call void @llvm.amdgcn.s.barrier()
  ret void
}

define void @t1() {
  call void @llvm.amdgcn.s.barrier()
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}
declare void @llvm.amdgcn.s.barrier()
