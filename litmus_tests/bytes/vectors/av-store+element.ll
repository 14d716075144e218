; Each part of what llvm.amdgcn.av.global.store.b128 writes is available
; REF: AMDGPU Memory Model, store-available
; REF: LLVM AMDGPUUsage, llvm.amdgcn.av intrinsics; https://github.com/llvm/llvm-project/pull/191390
; An element is read by itself.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ ~(t1:%element = 1)
; EXPECT: llvm=Never amdgpu=Never

@data = addrspace(1) global <4 x i32> zeroinitializer
@flag = addrspace(1) global i32 0

define void @t0() {
  call void @llvm.amdgcn.av.global.store.b128(ptr addrspace(1) @data, <4 x i32> splat (i32 1), metadata !"agent")
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

declare void @llvm.amdgcn.av.global.store.b128(ptr addrspace(1), <4 x i32>, metadata)
