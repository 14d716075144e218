; Hazard pointers between workgroups: a node that a reader has announced is not used again: the fences are acq_rel only
; REF: Michael: Hazard pointers, TPDS 2004
; From group-hazard-pointer.cl: clang -O1 -S -emit-llvm -fno-discard-value-names -x cl -cl-std=CL2.0 --target=amdgcn-amd-amdhsa -nogpulib -DFENCE=memory_order_acq_rel group-hazard-pointer.cl
; LAUNCH: @use(i32 0) workgroups=2 lanes=1
; PROFILE: amdgpu
; FORALL: @seen = 1
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race

target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7"
target triple = "amdgcn-amd-amdhsa"

@node = hidden local_unnamed_addr addrspace(1) global i32 1, align 4
@shared = hidden addrspace(1) global i32 1, align 4
@seen = hidden local_unnamed_addr addrspace(1) global i32 1, align 4
@hazard = hidden addrspace(1) global i32 0, align 4

define protected amdgpu_kernel void @use(i32 noundef %unused) local_unnamed_addr #0 !kernel_arg_addr_space !5 !kernel_arg_access_qual !6 !kernel_arg_type !7 !kernel_arg_base_type !7 !kernel_arg_type_qual !8 {
entry:
  %call = tail call i64 @_Z12get_group_idj(i32 noundef 0) #3
  %cmp = icmp eq i64 %call, 0
  br i1 %cmp, label %if.then, label %if.else

if.then:                                          ; preds = %entry
  tail call void @_Z21atomic_store_explicitPU3AS0VU7_Atomicii12memory_order12memory_scope(ptr noundef addrspacecast (ptr addrspace(1) @hazard to ptr), i32 noundef 1, i32 noundef 0, i32 noundef 2) #4
  tail call void @_Z22atomic_work_item_fencej12memory_order12memory_scope(i32 noundef 2, i32 noundef 4, i32 noundef 2) #4
  %call1 = tail call i32 @_Z20atomic_load_explicitPU3AS0VU7_Atomici12memory_order12memory_scope(ptr noundef addrspacecast (ptr addrspace(1) @shared to ptr), i32 noundef 2, i32 noundef 2) #4
  %cmp2 = icmp eq i32 %call1, 1
  br i1 %cmp2, label %if.then3, label %if.end

if.then3:                                         ; preds = %if.then
  %0 = load i32, ptr addrspace(1) @node, align 4, !tbaa !9
  store i32 %0, ptr addrspace(1) @seen, align 4, !tbaa !9
  br label %if.end

if.end:                                           ; preds = %if.then3, %if.then
  tail call void @_Z21atomic_store_explicitPU3AS0VU7_Atomicii12memory_order12memory_scope(ptr noundef addrspacecast (ptr addrspace(1) @hazard to ptr), i32 noundef 0, i32 noundef 3, i32 noundef 2) #4
  br label %if.end8

if.else:                                          ; preds = %entry
  tail call void @_Z21atomic_store_explicitPU3AS0VU7_Atomicii12memory_order12memory_scope(ptr noundef addrspacecast (ptr addrspace(1) @shared to ptr), i32 noundef 0, i32 noundef 0, i32 noundef 2) #4
  tail call void @_Z22atomic_work_item_fencej12memory_order12memory_scope(i32 noundef 2, i32 noundef 4, i32 noundef 2) #4
  %call4 = tail call i32 @_Z20atomic_load_explicitPU3AS0VU7_Atomici12memory_order12memory_scope(ptr noundef addrspacecast (ptr addrspace(1) @hazard to ptr), i32 noundef 2, i32 noundef 2) #4
  %cmp5 = icmp eq i32 %call4, 0
  br i1 %cmp5, label %if.then6, label %if.end8

if.then6:                                         ; preds = %if.else
  store i32 2, ptr addrspace(1) @node, align 4, !tbaa !9
  br label %if.end8

if.end8:                                          ; preds = %if.else, %if.then6, %if.end
  ret void
}

declare hidden i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #1

declare hidden void @_Z21atomic_store_explicitPU3AS0VU7_Atomicii12memory_order12memory_scope(ptr noundef, i32 noundef, i32 noundef, i32 noundef) local_unnamed_addr #2

declare hidden void @_Z22atomic_work_item_fencej12memory_order12memory_scope(i32 noundef, i32 noundef, i32 noundef) local_unnamed_addr #2

declare hidden i32 @_Z20atomic_load_explicitPU3AS0VU7_Atomici12memory_order12memory_scope(ptr noundef, i32 noundef, i32 noundef) local_unnamed_addr #2

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
!9 = !{!10, !10, i64 0}
!10 = !{!"int", !11, i64 0}
!11 = !{!"omnipotent char", !12, i64 0}
!12 = !{!"Simple C/C++ TBAA"}
