; A wait that completes nothing joins nothing: another wait and a release that clash
; REF: LLVM, AMDGPUAsyncOperations.md (happens-before); MMRA document, The happens-before Relation
; The copy is complete at the first wait, which clashes with the release. The second wait stands between them, compatible with both, and
; removes no mark.
; SCOPES: (agent (workgroup t0 t1))
; EXISTS: t1:%flag = 1 /\ ~(t1:%v = 7)
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race amdgpu-2026=Sometimes+race
@g = addrspace(1) global i32 7
@l = addrspace(3) global i32 0
@flag = addrspace(1) global i32 0
define void @t0() {
  call void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1) @g, ptr addrspace(3) @l, i32 0, i32 0)
  call void @llvm.amdgcn.asyncmark()
  call void @llvm.amdgcn.wait.asyncmark(i16 0), !mmra !{!"foo", !"a"}
  call void @llvm.amdgcn.wait.asyncmark(i16 0)
  store atomic i32 1, ptr addrspace(1) @flag syncscope("workgroup") release, align 4, !mmra !{!"foo", !"b"}
  ret void
}
define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("workgroup") acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done
read:
  %v = load i32, ptr addrspace(3) @l
  br label %done
done:
  ret void
}
declare void @llvm.amdgcn.asyncmark()
declare void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1), ptr addrspace(3), i32, i32)
declare void @llvm.amdgcn.wait.asyncmark(i16)
