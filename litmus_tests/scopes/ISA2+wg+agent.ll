; Scopes: happens-before is transitive across synchronizations of different scopes
; REF: Hower et al.: Heterogeneous-race-free memory models, ASPLOS 2014
; REF: AMDGPU memory model, sync scopes
; A workgroup-scoped hand-over and then an agent-scoped one publish the first thread's data to another
; workgroup.
; SCOPES: (agent (workgroup t0 t1) (workgroup t2))
; EXISTS: t2:%b = 1 /\ t2:%c = 0
; EXPECT: llvm=Never

@x = global i32 0
@y = global i32 0
@z = global i32 0

define void @t0() {
  store i32 1, ptr @x
  store atomic i32 1, ptr @y syncscope("workgroup") release, align 4
  ret void
}

define void @t1() {
  %a = load atomic i32, ptr @y syncscope("workgroup") acquire, align 4
  %taken = icmp eq i32 %a, 1
  br i1 %taken, label %then, label %done
then:
  store atomic i32 1, ptr @z syncscope("agent") release, align 4
  br label %done
done:
  ret void
}

define void @t2() {
  %b = load atomic i32, ptr @z syncscope("agent") acquire, align 4
  %taken = icmp eq i32 %b, 1
  br i1 %taken, label %then, label %done
then:
  %c = load i32, ptr @x
  br label %done
done:
  ret void
}
