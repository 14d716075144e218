; The shape that MLIR and IREE give a kernel: buffers of address space 7, vectors, a loop with two LDS barriers
; PROFILE: amdgpu
source_filename = "matmul_dispatch"
target triple = "amdgcn-amd-amdhsa"

@lhs_tile = private addrspace(3) global [16 x [36 x half]] undef, align 16
@rhs_tile = private addrspace(3) global [16 x [36 x half]] undef, align 16

define amdgpu_kernel void @matmul(ptr addrspace(1) inreg noalias noundef nonnull readonly align 16 %0, ptr addrspace(1) inreg noalias noundef nonnull align 16 %1) #0 !reqd_work_group_size !0 {
  %3 = call range(i32 0, 128) i32 @llvm.amdgcn.workitem.id.x()
  %4 = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %0, i16 0, i64 -1, i32 159744)
  %5 = addrspacecast ptr addrspace(8) %4 to ptr addrspace(7)
  br label %6

6:                                                ; preds = %6, %2
  %7 = phi i32 [ 0, %2 ], [ %22, %6 ]
  %8 = phi <4 x float> [ zeroinitializer, %2 ], [ %21, %6 ]
  %9 = getelementptr half, ptr addrspace(7) %5, i32 %7
  %10 = load <8 x half>, ptr addrspace(7) %9, align 2
  %11 = call <4 x i32> @llvm.amdgcn.raw.ptr.buffer.load.v4i32(ptr addrspace(8) %4, i32 %7, i32 0, i32 0)
  %12 = bitcast <4 x i32> %11 to <8 x half>
  fence syncscope("workgroup") release, !mmra !1
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !1
  %13 = getelementptr [16 x [36 x half]], ptr addrspace(3) @lhs_tile, i32 0, i32 %3, i32 0
  %14 = getelementptr [16 x [36 x half]], ptr addrspace(3) @rhs_tile, i32 0, i32 %3, i32 0
  store <8 x half> %10, ptr addrspace(3) %13, align 2
  store <8 x half> %12, ptr addrspace(3) %14, align 2
  fence syncscope("workgroup") release, !mmra !1
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !1
  %15 = load <4 x half>, ptr addrspace(3) %13, align 2
  %16 = load <4 x half>, ptr addrspace(3) %14, align 2
  %21 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %15, <4 x half> %16, <4 x float> %8, i32 0, i32 0, i32 0)
  %22 = add nuw nsw i32 %7, 16
  %23 = icmp ult i32 %7, 1008
  br i1 %23, label %6, label %24

24:                                               ; preds = %6
  %25 = getelementptr float, ptr addrspace(1) %1, i32 %3
  store <4 x float> %21, ptr addrspace(1) %25, align 4
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) readnone, i16, i64, i32)
declare <4 x i32> @llvm.amdgcn.raw.ptr.buffer.load.v4i32(ptr addrspace(8) readonly captures(none), i32, i32, i32 immarg)
declare void @llvm.amdgcn.s.barrier()
declare <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half>, <4 x half>, <4 x float>, i32 immarg, i32 immarg, i32 immarg)

attributes #0 = { alwaysinline "amdgpu-flat-work-group-size"="128,128" "target-cpu"="gfx942" "uniform-work-group-size"="true" }

!0 = !{i32 128, i32 1, i32 1}
!1 = !{!"amdgpu-synchronize-as", !"local"}
