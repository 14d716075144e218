; Two operands in one LDS buffer, each round copies both for the next (CK, Triton)
; INSPECT: none
target triple = "amdgcn-amd-amdhsa"

@smem = internal addrspace(3) global [4096 x i32] poison, align 16

define amdgpu_kernel void @mfma(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %out) #0 {
entry:
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %ga = getelementptr i32, ptr addrspace(1) %a, i32 %t
  %gb = getelementptr i32, ptr addrspace(1) %b, i32 %t
  %sb0 = getelementptr i8, ptr addrspace(3) @smem, i32 1024
  call void @llvm.amdgcn.load.async.to.lds.p1(ptr addrspace(1) %ga, ptr addrspace(3) @smem, i32 4, i32 0, i32 0)
  call void @llvm.amdgcn.load.async.to.lds.p1(ptr addrspace(1) %gb, ptr addrspace(3) %sb0, i32 4, i32 0, i32 0)
  call void @llvm.amdgcn.asyncmark()
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %n, %loop ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %sum, %loop ]
  %n = add nuw nsw i32 %k, 1
  %now = and i32 %k, 1
  %then = and i32 %n, 1
  %now.at = shl i32 %now, 11
  %then.at = shl i32 %then, 11
  %sa = getelementptr i8, ptr addrspace(3) @smem, i32 %then.at
  %sb = getelementptr i8, ptr addrspace(3) %sa, i32 1024
  call void @llvm.amdgcn.load.async.to.lds.p1(ptr addrspace(1) %ga, ptr addrspace(3) %sa, i32 4, i32 0, i32 0)
  call void @llvm.amdgcn.load.async.to.lds.p1(ptr addrspace(1) %gb, ptr addrspace(3) %sb, i32 4, i32 0, i32 0)
  call void @llvm.amdgcn.asyncmark()
  call void @llvm.amdgcn.wait.asyncmark(i16 1)
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !0
  %ta = getelementptr i8, ptr addrspace(3) @smem, i32 %now.at
  %tb = getelementptr i8, ptr addrspace(3) %ta, i32 1024
  %lane = and i32 %t, 15
  %pa = getelementptr <4 x half>, ptr addrspace(3) %ta, i32 %lane
  %pb = getelementptr <4 x half>, ptr addrspace(3) %tb, i32 %lane
  %xa = load <4 x half>, ptr addrspace(3) %pa, align 8
  %xb = load <4 x half>, ptr addrspace(3) %pb, align 8
  %sum = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %xa, <4 x half> %xb, <4 x float> %acc, i32 0, i32 0, i32 0)
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !0
  %more = icmp ult i32 %n, 32
  br i1 %more, label %loop, label %done

done:
  %to = getelementptr <4 x float>, ptr addrspace(1) %out, i32 %t
  store <4 x float> %sum, ptr addrspace(1) %to, align 16
  call void @llvm.amdgcn.wait.asyncmark(i16 0)
  ret void
}

declare void @llvm.amdgcn.asyncmark()
declare void @llvm.amdgcn.load.async.to.lds.p1(ptr addrspace(1) readonly captures(none), ptr addrspace(3) writeonly captures(none), i32 immarg, i32 immarg, i32 immarg)
declare <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half>, <4 x half>, <4 x float>, i32 immarg, i32 immarg, i32 immarg)
declare void @llvm.amdgcn.s.barrier()
declare void @llvm.amdgcn.wait.asyncmark(i16 immarg)
declare i32 @llvm.amdgcn.workitem.id.x()

attributes #0 = { "amdgpu-flat-work-group-size"="256,256" "target-cpu"="gfx950" }

!0 = !{!"amdgpu-synchronize-as", !"local"}
