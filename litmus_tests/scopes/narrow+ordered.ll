; Scopes: narrow atomics of different workgroups do not race if something wider orders them
; REF: Hower et al.: Heterogeneous-race-free memory models, ASPLOS 2014
; REF: AMDGPU memory model, sync scopes
; Only one write is visible to the load, so that its scope does not matter.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ ~(t1:%x = 1)
; EXPECT: llvm=Never

@x = global i32 0
@flag = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x syncscope("workgroup") monotonic, align 4
  store atomic i32 1, ptr @flag syncscope("agent") release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag syncscope("agent") acquire, align 4
  %taken = icmp eq i32 %flag, 1
  br i1 %taken, label %then, label %done
then:
  %x = load atomic i32, ptr @x syncscope("workgroup") monotonic, align 4
  br label %done
done:
  ret void
}
