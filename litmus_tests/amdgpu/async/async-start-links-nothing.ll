; An instruction that starts a copy joins nothing that tags keep apart: an acquire and a load
; REF: LLVM, AMDGPUAsyncOperations.md (happens-before); MMRA document, The happens-before Relation
; "I happens-before A", and nothing is said of what is behind I: the copy is between two accesses that clash, and is no bridge.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ ~(t1:%data = 1)
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race amdgpu-2026=Sometimes+race
@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0
@g = addrspace(1) global i32 7
@l = addrspace(3) global i32 0
define void @t0() {
  store i32 1, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4
  ret void
}
define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4, !mmra !{!"foo", !"a"}
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %go, label %done
go:
  call void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1) @g, ptr addrspace(3) @l, i32 0, i32 0)
  %data = load i32, ptr addrspace(1) @data, !mmra !{!"foo", !"b"}
  br label %done
done:
  ret void
}
declare void @llvm.amdgcn.asyncmark()
declare void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1), ptr addrspace(3), i32, i32)
declare void @llvm.amdgcn.wait.asyncmark(i16)
