; Two work-items swap through LDS, a barrier between fences for "global": the wrong address space
; REF: clang __builtin_amdgcn_fence; LLVM AMDGPUUsage, amdgpu-synchronize-as
; The barrier orders execution, and the fences order addrspace(1) only.
; THREADS: a=@exchange() b=@exchange()
; SCOPES: (agent (workgroup a b))
; PROFILE: amdgpu
; NEVER: ~(@out[0] = 1 /\ @out[1] = 1)
; EXPECT: amdgpu=Sometimes+race llvm=Sometimes+race amdgpu-2026=Sometimes+race
;
; clang -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -nogpulib -O2 -S -emit-llvm, of
;
; | global int out[2];
; |
; | kernel void exchange(void) {
; |   local int tile[2];
; |   int me = __builtin_amdgcn_workitem_id_x();
; |   tile[me] = 1;
; |   __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup", "global");
; |   __builtin_amdgcn_s_barrier();
; |   __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup", "global");
; |   out[me] = tile[me ^ 1];
; | }

source_filename = "t.cl"
target datalayout = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"

@out = hidden local_unnamed_addr addrspace(1) global [2 x i32] zeroinitializer, align 4
@exchange.tile = internal unnamed_addr addrspace(3) global [2 x i32] undef, align 4

; Function Attrs: convergent mustprogress nofree norecurse nounwind willreturn
define protected amdgpu_kernel void @exchange() local_unnamed_addr #0 !kernel_arg_addr_space !9 !kernel_arg_access_qual !9 !kernel_arg_type !9 !kernel_arg_base_type !9 !kernel_arg_type_qual !9 {
  %1 = tail call i32 @llvm.amdgcn.workitem.id.x()
  %2 = zext nneg i32 %1 to i64
  %3 = getelementptr inbounds nuw i32, ptr addrspace(3) @exchange.tile, i32 %1
  store i32 1, ptr addrspace(3) %3, align 4, !tbaa !5
  fence syncscope("workgroup") release, !mmra !10
  tail call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !10
  %4 = xor i32 %1, 1
  %5 = getelementptr inbounds nuw i32, ptr addrspace(3) @exchange.tile, i32 %4
  %6 = load i32, ptr addrspace(3) %5, align 4, !tbaa !5
  %7 = getelementptr inbounds nuw i32, ptr addrspace(1) @out, i64 %2
  store i32 %6, ptr addrspace(1) %7, align 4, !tbaa !5
  ret void
}

; Function Attrs: alwaysinline convergent mustprogress nofree norecurse nounwind willreturn
define protected void @__clang_ocl_kern_imp_exchange() local_unnamed_addr #1 !kernel_arg_addr_space !9 !kernel_arg_access_qual !9 !kernel_arg_type !9 !kernel_arg_base_type !9 !kernel_arg_type_qual !9 {
  %1 = tail call i32 @llvm.amdgcn.workitem.id.x()
  %2 = zext nneg i32 %1 to i64
  %3 = getelementptr inbounds nuw i32, ptr addrspace(3) @exchange.tile, i32 %1
  store i32 1, ptr addrspace(3) %3, align 4, !tbaa !5
  fence syncscope("workgroup") release, !mmra !10
  tail call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !10
  %4 = xor i32 %1, 1
  %5 = getelementptr inbounds nuw i32, ptr addrspace(3) @exchange.tile, i32 %4
  %6 = load i32, ptr addrspace(3) %5, align 4, !tbaa !5
  %7 = getelementptr inbounds nuw i32, ptr addrspace(1) @out, i64 %2
  store i32 %6, ptr addrspace(1) %7, align 4, !tbaa !5
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.amdgcn.workitem.id.x() #2

; Function Attrs: convergent mustprogress nocallback nofree nounwind willreturn
declare void @llvm.amdgcn.s.barrier() #3

attributes #0 = { convergent mustprogress nofree norecurse nounwind willreturn "amdgpu-flat-work-group-size"="1,256" "amdgpu-no-cluster-id-x" "amdgpu-no-cluster-id-y" "amdgpu-no-cluster-id-z" "amdgpu-no-completion-action" "amdgpu-no-default-queue" "amdgpu-no-dispatch-id" "amdgpu-no-dispatch-ptr" "amdgpu-no-flat-scratch-init" "amdgpu-no-heap-ptr" "amdgpu-no-hostcall-ptr" "amdgpu-no-implicitarg-ptr" "amdgpu-no-lds-kernel-id" "amdgpu-no-multigrid-sync-arg" "amdgpu-no-queue-ptr" "amdgpu-no-workgroup-id-x" "amdgpu-no-workgroup-id-y" "amdgpu-no-workgroup-id-z" "amdgpu-no-workitem-id-x" "amdgpu-no-workitem-id-y" "amdgpu-no-workitem-id-z" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "uniform-work-group-size"="false" }
attributes #1 = { alwaysinline convergent mustprogress nofree norecurse nounwind willreturn "amdgpu-flat-work-group-size"="1,256" "amdgpu-no-cluster-id-x" "amdgpu-no-cluster-id-y" "amdgpu-no-cluster-id-z" "amdgpu-no-completion-action" "amdgpu-no-default-queue" "amdgpu-no-dispatch-id" "amdgpu-no-dispatch-ptr" "amdgpu-no-flat-scratch-init" "amdgpu-no-heap-ptr" "amdgpu-no-hostcall-ptr" "amdgpu-no-lds-kernel-id" "amdgpu-no-multigrid-sync-arg" "amdgpu-no-queue-ptr" "amdgpu-no-workgroup-id-x" "amdgpu-no-workgroup-id-y" "amdgpu-no-workgroup-id-z" "amdgpu-no-workitem-id-y" "amdgpu-no-workitem-id-z" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "uniform-work-group-size"="false" }
attributes #2 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { convergent mustprogress nocallback nofree nounwind willreturn }

!llvm.module.flags = !{!0, !1, !2}
!opencl.ocl.version = !{!3}
!llvm.ident = !{!4}
!llvm.errno.tbaa = !{!5}

!0 = !{i32 1, !"amdhsa_code_object_version", i32 600}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 8, !"PIC Level", i32 2}
!3 = !{i32 2, i32 0}
!4 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!5 = !{!6, !6, i64 0}
!6 = !{!"int", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C/C++ TBAA"}
!9 = !{}
!10 = !{!"amdgpu-synchronize-as", !"global"}
