; A mailbox in local memory, and what it announces in global memory: a fence orders the memory that it names: the receiver's names global memory alone
; REF: Khronos: OpenCL C 2.0 specification, 6.13.11.3 (atomic_work_item_fence)
; From lds-mailbox.cl: clang -O1 -S -emit-llvm -fno-discard-value-names -x cl -cl-std=CL2.0 --target=amdgcn-amd-amdhsa -nogpulib -DTAKE=CLK_GLOBAL_MEM_FENCE lds-mailbox.cl
; LAUNCH: @send(i32 1) workgroups=1 lanes=2
; PROFILE: amdgpu
; FORALL: @seen[0] = 1 /\ @seen[1] = 2
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race

target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7"
target triple = "amdgcn-amd-amdhsa"

@send.part = internal unnamed_addr addrspace(3) global i32 undef, align 4
@send.full = internal addrspace(3) global i32 undef, align 4
@shared = hidden local_unnamed_addr addrspace(1) global i32 0, align 4
@seen = hidden local_unnamed_addr addrspace(1) global [2 x i32] zeroinitializer, align 4

define protected amdgpu_kernel void @send(i32 noundef %value) local_unnamed_addr #0 !kernel_arg_addr_space !5 !kernel_arg_access_qual !6 !kernel_arg_type !7 !kernel_arg_base_type !7 !kernel_arg_type_qual !8 {
entry:
  %call = tail call i64 @_Z12get_local_idj(i32 noundef 0) #3
  %0 = and i64 %call, 4294967295
  %cmp = icmp eq i64 %0, 0
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  tail call void @_Z21atomic_store_explicitPU3AS0VU7_Atomicii12memory_order12memory_scope(ptr noundef addrspacecast (ptr addrspace(3) @send.full to ptr), i32 noundef 0, i32 noundef 0, i32 noundef 1) #4
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  tail call void @_Z7barrierj(i32 noundef 1) #4
  br i1 %cmp, label %if.then4, label %while.cond

if.then4:                                         ; preds = %if.end
  store i32 %value, ptr addrspace(3) @send.part, align 4, !tbaa !9
  store i32 2, ptr addrspace(1) @shared, align 4, !tbaa !9
  tail call void @_Z22atomic_work_item_fencej12memory_order12memory_scope(i32 noundef 3, i32 noundef 3, i32 noundef 1) #4
  tail call void @_Z21atomic_store_explicitPU3AS0VU7_Atomicii12memory_order12memory_scope(ptr noundef addrspacecast (ptr addrspace(3) @send.full to ptr), i32 noundef 1, i32 noundef 0, i32 noundef 1) #4
  br label %if.end8

while.cond:                                       ; preds = %if.end, %while.cond
  %call5 = tail call i32 @_Z20atomic_load_explicitPU3AS0VU7_Atomici12memory_order12memory_scope(ptr noundef addrspacecast (ptr addrspace(3) @send.full to ptr), i32 noundef 0, i32 noundef 1) #4
  %cmp6 = icmp eq i32 %call5, 0
  br i1 %cmp6, label %while.cond, label %while.end, !llvm.loop !13

while.end:                                        ; preds = %while.cond
  tail call void @_Z22atomic_work_item_fencej12memory_order12memory_scope(i32 noundef 2, i32 noundef 2, i32 noundef 1) #4
  %1 = load i32, ptr addrspace(3) @send.part, align 4, !tbaa !9
  store i32 %1, ptr addrspace(1) @seen, align 4, !tbaa !9
  %2 = load i32, ptr addrspace(1) @shared, align 4, !tbaa !9
  store i32 %2, ptr addrspace(1) getelementptr inbounds ([2 x i32], ptr addrspace(1) @seen, i64 0, i64 1), align 4, !tbaa !9
  br label %if.end8

if.end8:                                          ; preds = %while.end, %if.then4
  ret void
}

declare hidden i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #1

declare hidden void @_Z21atomic_store_explicitPU3AS0VU7_Atomicii12memory_order12memory_scope(ptr noundef, i32 noundef, i32 noundef, i32 noundef) local_unnamed_addr #2

declare hidden void @_Z7barrierj(i32 noundef) local_unnamed_addr #2

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
!13 = distinct !{!13, !14}
!14 = !{!"llvm.loop.unroll.disable"}
