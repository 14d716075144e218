; Tiles are loaded to registers and stored to LDS, two barriers a round (IREE, MLIR)
; INSPECT: none
target triple = "amdgcn-amd-amdhsa"

@lhs = private addrspace(3) global [16 x [36 x half]] poison, align 16
@rhs = private addrspace(3) global [16 x [36 x half]] poison, align 16

define amdgpu_kernel void @matmul(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c) #0 {
entry:
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %r = and i32 %t, 15
  %pl = getelementptr [16 x [36 x half]], ptr addrspace(3) @lhs, i32 0, i32 %r, i32 0
  %pr = getelementptr [16 x [36 x half]], ptr addrspace(3) @rhs, i32 0, i32 %r, i32 0
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %sum, %loop ]
  %ga = getelementptr half, ptr addrspace(1) %a, i32 %k
  %gb = getelementptr half, ptr addrspace(1) %b, i32 %k
  %xa = load <4 x half>, ptr addrspace(1) %ga, align 8
  %xb = load <4 x half>, ptr addrspace(1) %gb, align 8
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !0
  store <4 x half> %xa, ptr addrspace(3) %pl, align 8
  store <4 x half> %xb, ptr addrspace(3) %pr, align 8
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !0
  %ya = load <4 x half>, ptr addrspace(3) %pl, align 8
  %yb = load <4 x half>, ptr addrspace(3) %pr, align 8
  %sum = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %ya, <4 x half> %yb, <4 x float> %acc, i32 0, i32 0, i32 0)
  %next = add nuw nsw i32 %k, 16
  %more = icmp ult i32 %next, 1024
  br i1 %more, label %loop, label %done

done:
  %to = getelementptr <4 x float>, ptr addrspace(1) %c, i32 %t
  store <4 x float> %sum, ptr addrspace(1) %to, align 16
  ret void
}

declare <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half>, <4 x half>, <4 x float>, i32 immarg, i32 immarg, i32 immarg)
declare void @llvm.amdgcn.s.barrier()
declare i32 @llvm.amdgcn.workitem.id.x()

attributes #0 = { "amdgpu-flat-work-group-size"="256,256" "target-cpu"="gfx950" }

!0 = !{!"amdgpu-synchronize-as", !"local"}
