; The shape that Triton gives a kernel: one dynamic LDS buffer, a split barrier, inline assembly, a spin lock
; PROFILE: amdgpu
source_filename = "LLVMDialectModule"
target datalayout = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"

@global_smem = external local_unnamed_addr addrspace(3) global [0 x i8], align 16

define amdgpu_kernel void @reduce(ptr addrspace(1) inreg readonly captures(none) %0, ptr addrspace(1) inreg captures(none) %1, ptr addrspace(1) inreg captures(none) %2) local_unnamed_addr #0 {
  %4 = tail call i32 @llvm.amdgcn.workitem.id.x()
  %5 = getelementptr <4 x float>, ptr addrspace(1) %0, i32 %4
  %6 = load <4 x float>, ptr addrspace(1) %5, align 16, !amdgpu.noclobber !1
  %7 = tail call float @llvm.vector.reduce.fadd.v4f32(float 0.000000e+00, <4 x float> %6)
  tail call void asm sideeffect "s_nop 1", ""()
  %8 = shl nuw nsw i32 %4, 2
  %9 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %8
  store float %7, ptr addrspace(3) %9, align 4
  fence syncscope("workgroup") release, !mmra !0
  tail call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  tail call void @llvm.amdgcn.s.barrier.wait(i16 -1)
  fence syncscope("workgroup") acquire, !mmra !0
  %10 = load float, ptr addrspace(3) @global_smem, align 16
  %11 = icmp eq i32 %4, 0
  br i1 %11, label %12, label %21

12:                                               ; preds = %12, %3
  %13 = cmpxchg ptr addrspace(1) %2, i32 0, i32 1 syncscope("agent") acquire monotonic, align 4
  %14 = extractvalue { i32, i1 } %13, 1
  br i1 %14, label %15, label %12

15:                                               ; preds = %12
  %16 = load float, ptr addrspace(1) %1, align 4
  %17 = fadd float %16, %10
  store float %17, ptr addrspace(1) %1, align 4
  store atomic i32 0, ptr addrspace(1) %2 syncscope("agent") release, align 4
  br label %21

21:                                               ; preds = %15, %3
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare float @llvm.vector.reduce.fadd.v4f32(float, <4 x float>)
declare void @llvm.amdgcn.s.barrier.signal(i32 immarg)
declare void @llvm.amdgcn.s.barrier.wait(i16 immarg)

attributes #0 = { nounwind "amdgpu-flat-work-group-size"="1,128" "target-cpu"="gfx1200" "denormal-fp-math-f32"="ieee" }

!0 = !{!"amdgpu-synchronize-as", !"local"}
!1 = !{}
