; A ring buffer of one element between two workgroups: relaxed accesses, and fences that say which memory they order: those of the reader are of local memory
; REF: Khronos: OpenCL C 2.0 specification, 6.13.11.3 (atomic_work_item_fence)
; From fence-ring-buffer.cl: clang -O1 -S -emit-llvm -fno-discard-value-names -x cl -cl-std=CL2.0 --target=amdgcn-amd-amdhsa -nogpulib -DTAKE=CLK_LOCAL_MEM_FENCE fence-ring-buffer.cl
; LAUNCH: @pass(i32 0) workgroups=2 lanes=1
; PROFILE: amdgpu
; FORALL: @sum = 3
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race

target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7"
target triple = "amdgcn-amd-amdhsa"

@head = hidden addrspace(1) global i32 0, align 4
@slot = hidden local_unnamed_addr addrspace(1) global i32 0, align 4
@tail = hidden addrspace(1) global i32 0, align 4
@sum = hidden local_unnamed_addr addrspace(1) global i32 0, align 4

define protected amdgpu_kernel void @pass(i32 noundef %unused) local_unnamed_addr #0 !kernel_arg_addr_space !5 !kernel_arg_access_qual !6 !kernel_arg_type !7 !kernel_arg_base_type !7 !kernel_arg_type_qual !8 {
entry:
  %call = tail call i64 @_Z12get_group_idj(i32 noundef 0) #3
  %cmp = icmp eq i64 %call, 0
  br i1 %cmp, label %while.cond.preheader, label %while.cond10.preheader

while.cond.preheader:                             ; preds = %entry, %while.end
  %n.031 = phi i32 [ %add, %while.end ], [ 0, %entry ]
  br label %while.cond

while.cond:                                       ; preds = %while.cond.preheader, %while.cond
  %call2 = tail call i32 @_Z20atomic_load_explicitPU3AS0VU7_Atomici12memory_order12memory_scope(ptr noundef addrspacecast (ptr addrspace(1) @head to ptr), i32 noundef 0, i32 noundef 2) #4
  %cmp3.not = icmp eq i32 %call2, %n.031
  br i1 %cmp3.not, label %while.end, label %while.cond, !llvm.loop !9

while.end:                                        ; preds = %while.cond
  tail call void @_Z22atomic_work_item_fencej12memory_order12memory_scope(i32 noundef 2, i32 noundef 4, i32 noundef 2) #4
  %add = add nuw nsw i32 %n.031, 1
  store i32 %add, ptr addrspace(1) @slot, align 4, !tbaa !11
  tail call void @_Z22atomic_work_item_fencej12memory_order12memory_scope(i32 noundef 2, i32 noundef 4, i32 noundef 2) #4
  tail call void @_Z21atomic_store_explicitPU3AS0VU7_Atomicii12memory_order12memory_scope(ptr noundef addrspacecast (ptr addrspace(1) @tail to ptr), i32 noundef %add, i32 noundef 0, i32 noundef 2) #4
  %cmp1 = icmp eq i32 %n.031, 0
  br i1 %cmp1, label %while.cond.preheader, label %if.end, !llvm.loop !15

while.cond10.preheader:                           ; preds = %entry, %while.end15
  %n5.030 = phi i32 [ %add12, %while.end15 ], [ 0, %entry ]
  %found.029 = phi i32 [ %add16, %while.end15 ], [ 0, %entry ]
  %add12 = add nuw nsw i32 %n5.030, 1
  br label %while.cond10

for.cond.cleanup8:                                ; preds = %while.end15
  store i32 %add16, ptr addrspace(1) @sum, align 4, !tbaa !11
  br label %if.end

while.cond10:                                     ; preds = %while.cond10.preheader, %while.cond10
  %call11 = tail call i32 @_Z20atomic_load_explicitPU3AS0VU7_Atomici12memory_order12memory_scope(ptr noundef addrspacecast (ptr addrspace(1) @tail to ptr), i32 noundef 0, i32 noundef 2) #4
  %cmp13.not = icmp eq i32 %call11, %add12
  br i1 %cmp13.not, label %while.end15, label %while.cond10, !llvm.loop !16

while.end15:                                      ; preds = %while.cond10
  tail call void @_Z22atomic_work_item_fencej12memory_order12memory_scope(i32 noundef 1, i32 noundef 4, i32 noundef 2) #4
  %0 = load i32, ptr addrspace(1) @slot, align 4, !tbaa !11
  %add16 = add nsw i32 %0, %found.029
  tail call void @_Z22atomic_work_item_fencej12memory_order12memory_scope(i32 noundef 1, i32 noundef 4, i32 noundef 2) #4
  tail call void @_Z21atomic_store_explicitPU3AS0VU7_Atomicii12memory_order12memory_scope(ptr noundef addrspacecast (ptr addrspace(1) @head to ptr), i32 noundef %add12, i32 noundef 0, i32 noundef 2) #4
  %cmp7 = icmp eq i32 %n5.030, 0
  br i1 %cmp7, label %while.cond10.preheader, label %for.cond.cleanup8, !llvm.loop !17

if.end:                                           ; preds = %while.end, %for.cond.cleanup8
  ret void
}

declare hidden i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #1

declare hidden i32 @_Z20atomic_load_explicitPU3AS0VU7_Atomici12memory_order12memory_scope(ptr noundef, i32 noundef, i32 noundef) local_unnamed_addr #2

declare hidden void @_Z22atomic_work_item_fencej12memory_order12memory_scope(i32 noundef, i32 noundef, i32 noundef) local_unnamed_addr #2

declare hidden void @_Z21atomic_store_explicitPU3AS0VU7_Atomicii12memory_order12memory_scope(ptr noundef, i32 noundef, i32 noundef, i32 noundef) local_unnamed_addr #2

attributes #0 = { convergent norecurse nounwind "amdgpu-flat-work-group-size"="1,256" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "uniform-work-group-size"="false" }
attributes #1 = { convergent mustprogress nofree nounwind willreturn memory(none) "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #2 = { convergent nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #3 = { convergent nounwind willreturn memory(none) }
attributes #4 = { convergent nounwind }

!llvm.module.flags = !{!0, !1, !2}
!opencl.ocl.version = !{!3}
!llvm.ident = !{!4}

!0 = !{i32 1, !"amdgpu_code_object_version", i32 400}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 8, !"PIC Level", i32 1}
!3 = !{i32 2, i32 0}
!4 = !{!"Debian clang version 16.0.6 (15~deb12u1)"}
!5 = !{i32 0}
!6 = !{!"none"}
!7 = !{!"int"}
!8 = !{!""}
!9 = distinct !{!9, !10}
!10 = !{!"llvm.loop.unroll.disable"}
!11 = !{!12, !12, i64 0}
!12 = !{!"int", !13, i64 0}
!13 = !{!"omnipotent char", !14, i64 0}
!14 = !{!"Simple C/C++ TBAA"}
!15 = distinct !{!15, !10}
!16 = distinct !{!16, !10}
!17 = distinct !{!17, !10}
