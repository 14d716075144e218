; A tile is handed over by av stores and loads, without cache maintenance for the rest
; REF: Stream-K: work-centric parallel decomposition for GEMM, PPoPP 2023
; REF: LLVM AMDGPUUsage, llvm.amdgcn.av intrinsics; https://github.com/llvm/llvm-project/pull/191390
; Two vectors of 128 bits; release and acquire are non-av.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ ~(t1:%low.first = 1 /\ t1:%high.last = 2)
; EXPECT: llvm=Never amdgpu=Never

@tile = addrspace(1) global [2 x <4 x i32>] zeroinitializer
@flag = addrspace(1) global i32 0

define void @t0() {
  %high = getelementptr [2 x <4 x i32>], ptr addrspace(1) @tile, i32 0, i32 1
  call void @llvm.amdgcn.av.global.store.b128(ptr addrspace(1) @tile, <4 x i32> splat (i32 1), metadata !"agent")
  call void @llvm.amdgcn.av.global.store.b128(ptr addrspace(1) %high, <4 x i32> splat (i32 2), metadata !"agent")
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4, !mmra !{!"amdgcn-av", !"none"}
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4, !mmra !{!"amdgcn-av", !"none"}
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %high = getelementptr [2 x <4 x i32>], ptr addrspace(1) @tile, i32 0, i32 1
  %low.data = call <4 x i32> @llvm.amdgcn.av.global.load.b128(ptr addrspace(1) @tile, metadata !"agent")
  %high.data = call <4 x i32> @llvm.amdgcn.av.global.load.b128(ptr addrspace(1) %high, metadata !"agent")
  %low.first = extractelement <4 x i32> %low.data, i32 0
  %high.last = extractelement <4 x i32> %high.data, i32 3
  br label %done

done:
  ret void
}

declare void @llvm.amdgcn.av.global.store.b128(ptr addrspace(1), <4 x i32>, metadata)
declare <4 x i32> @llvm.amdgcn.av.global.load.b128(ptr addrspace(1), metadata)
