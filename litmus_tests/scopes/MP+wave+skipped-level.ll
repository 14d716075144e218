; Scopes: a level that the scope tree leaves out has one instance for each child
; REF: AMDGPU memory model, sync scopes
; No wavefronts are given, so the two threads are in different ones.
; SCOPES: (agent (workgroup t0 t1))
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Sometimes+race

@data = global i32 0
@flag = global i32 0

define void @t0() {
  store i32 1, ptr @data
  store atomic i32 1, ptr @flag syncscope("wavefront") release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag syncscope("wavefront") acquire, align 4
  %data = load i32, ptr @data
  ret void
}
