; Scopes: workgroup-scoped fences fail across workgroups, though the flag is agent-scoped
; REF: AMDGPU memory model, sync scopes
; REF: Alglave et al.: GPU concurrency: weak behaviours and programming assumptions, ASPLOS 2015
; The flag does not race; the scopes of the fences decide whether they synchronize.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Sometimes+race

@data = global i32 0
@flag = global i32 0

define void @t0() {
  store i32 1, ptr @data
  fence syncscope("workgroup") release
  store atomic i32 1, ptr @flag syncscope("agent") monotonic, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag syncscope("agent") monotonic, align 4
  fence syncscope("workgroup") acquire
  %taken = icmp eq i32 %flag, 1
  br i1 %taken, label %then, label %done
then:
  %data = load i32, ptr @data
  br label %done
done:
  ret void
}
