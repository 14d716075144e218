; Scopes: a release sequence continues through a read-modify-write of sufficient scope
; REF: AMDGPU memory model, sync scopes
; REF: Hower et al.: Heterogeneous-race-free memory models, ASPLOS 2014
; SCOPES: (agent (workgroup t0 t1) (workgroup t2))
; EXISTS: t2:%flag = 2 /\ t2:%data = 0
; EXPECT: llvm=Never

@data = global i32 0
@flag = global i32 0

define void @t0() {
  store i32 1, ptr @data
  store atomic i32 1, ptr @flag syncscope("agent") release, align 4
  ret void
}

define void @t1() {
  %old = atomicrmw add ptr @flag, i32 1 syncscope("agent") monotonic, align 4
  ret void
}

define void @t2() {
  %flag = load atomic i32, ptr @flag syncscope("agent") acquire, align 4
  %taken = icmp eq i32 %flag, 2
  br i1 %taken, label %then, label %done
then:
  %data = load i32, ptr @data
  br label %done
done:
  ret void
}
