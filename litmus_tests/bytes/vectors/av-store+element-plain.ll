; No part of a plain vector store is available without a release that makes it so
; REF: AMDGPU Memory Model, store-available
; REF: LLVM AMDGPUUsage, llvm.amdgcn.av intrinsics; https://github.com/llvm/llvm-project/pull/191390
; The neighbour of av-store+element: llvm looks at happens-before alone.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ t1:%element = undef
; EXPECT: llvm=Never amdgpu=Sometimes+race

@data = addrspace(1) global <4 x i32> zeroinitializer
@flag = addrspace(1) global i32 0

define void @t0() {
  store <4 x i32> splat (i32 1), ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4, !mmra !{!"amdgcn-av", !"none"}
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4
  %taken = icmp eq i32 %flag, 1
  br i1 %taken, label %then, label %done
then:
  %p = getelementptr i32, ptr addrspace(1) @data, i64 2
  %element = load i32, ptr addrspace(1) %p
  br label %done
done:
  ret void
}
