; A copy that is complete at a wait is before a copy that starts behind it, and so is what is before the first one
; REF: LLVM, AMDGPUAsyncOperations.md (happens-before); MMRA document, The happens-before Relation
; As async-start-links-no-copy, but the second copy starts when the first is complete: acquire, instruction, operation, wait,
; instruction, operation, each before the next.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ ~(t1:%data = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never
@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0
@g = addrspace(1) global i32 7
@l = addrspace(3) global i32 0
@m = addrspace(3) global i32 0
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
  call void @llvm.amdgcn.asyncmark()
  call void @llvm.amdgcn.wait.asyncmark(i16 0)
  call void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1) @data, ptr addrspace(3) @m, i32 0, i32 0), !mmra !{!"foo", !"b"}
  call void @llvm.amdgcn.asyncmark()
  call void @llvm.amdgcn.wait.asyncmark(i16 0)
  %data = load i32, ptr addrspace(3) @m
  br label %done
done:
  ret void
}
declare void @llvm.amdgcn.asyncmark()
declare void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1), ptr addrspace(3), i32, i32)
declare void @llvm.amdgcn.wait.asyncmark(i16)
