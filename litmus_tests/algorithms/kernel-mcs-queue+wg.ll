; The queue lock of Mellor-Crummey and Scott between workgroups, by numbers of nodes: all is of scope work_group
; REF: Mellor-Crummey, Scott: Algorithms for scalable synchronization on shared-memory multiprocessors, TOCS 1991
; From mcs-queue.cl: clang -O1 -S -emit-llvm -fno-discard-value-names -x cl -cl-std=CL2.0 --target=amdgcn-amd-amdhsa -nogpulib -DSCOPE=memory_scope_work_group mcs-queue.cl
; LAUNCH: @queue(i32 0) workgroups=2 lanes=1
; PROFILE: amdgpu
; FORALL: @count = 2
; EXPECT: llvm=Never+ub+ub-undef amdgpu=Never+ub+ub-undef

target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7"
target triple = "amdgcn-amd-amdhsa"

@tail = hidden addrspace(1) global i32 0, align 4
@blocked = hidden addrspace(1) global [3 x i32] zeroinitializer, align 4
@next = hidden addrspace(1) global [3 x i32] zeroinitializer, align 4
@count = hidden local_unnamed_addr addrspace(1) global i32 0, align 4

define protected amdgpu_kernel void @queue(i32 noundef %unused) local_unnamed_addr #0 !kernel_arg_addr_space !5 !kernel_arg_access_qual !6 !kernel_arg_type !7 !kernel_arg_base_type !7 !kernel_arg_type_qual !8 {
entry:
  %self = alloca i32, align 4, addrspace(5)
  %call = tail call i64 @_Z12get_group_idj(i32 noundef 0) #4
  %0 = trunc i64 %call to i32
  %conv = add i32 %0, 1
  call void @llvm.lifetime.start.p5(i64 4, ptr addrspace(5) %self) #5
  store i32 %conv, ptr addrspace(5) %self, align 4, !tbaa !9
  %call1 = tail call i32 @_Z24atomic_exchange_explicitPU3AS0VU7_Atomicii12memory_order12memory_scope(ptr noundef addrspacecast (ptr addrspace(1) @tail to ptr), i32 noundef %conv, i32 noundef 4, i32 noundef 1) #6
  %tobool.not = icmp eq i32 %call1, 0
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %idxprom = sext i32 %conv to i64
  %arrayidx = getelementptr inbounds [3 x i32], ptr addrspace(1) @blocked, i64 0, i64 %idxprom
  %arrayidx.ascast = addrspacecast ptr addrspace(1) %arrayidx to ptr
  tail call void @_Z21atomic_store_explicitPU3AS0VU7_Atomicii12memory_order12memory_scope(ptr noundef %arrayidx.ascast, i32 noundef 1, i32 noundef 0, i32 noundef 1) #6
  %idxprom2 = sext i32 %call1 to i64
  %arrayidx3 = getelementptr inbounds [3 x i32], ptr addrspace(1) @next, i64 0, i64 %idxprom2
  %arrayidx3.ascast = addrspacecast ptr addrspace(1) %arrayidx3 to ptr
  tail call void @_Z21atomic_store_explicitPU3AS0VU7_Atomicii12memory_order12memory_scope(ptr noundef %arrayidx3.ascast, i32 noundef %conv, i32 noundef 3, i32 noundef 1) #6
  br label %while.cond

while.cond:                                       ; preds = %while.cond, %if.then
  %call6 = tail call i32 @_Z20atomic_load_explicitPU3AS0VU7_Atomici12memory_order12memory_scope(ptr noundef %arrayidx.ascast, i32 noundef 2, i32 noundef 1) #6
  %tobool7.not = icmp eq i32 %call6, 0
  br i1 %tobool7.not, label %if.end, label %while.cond, !llvm.loop !13

if.end:                                           ; preds = %while.cond, %entry
  %1 = load i32, ptr addrspace(1) @count, align 4, !tbaa !9
  %inc = add nsw i32 %1, 1
  store i32 %inc, ptr addrspace(1) @count, align 4, !tbaa !9
  %idxprom8 = sext i32 %conv to i64
  %arrayidx9 = getelementptr inbounds [3 x i32], ptr addrspace(1) @next, i64 0, i64 %idxprom8
  %arrayidx9.ascast = addrspacecast ptr addrspace(1) %arrayidx9 to ptr
  %call10 = tail call i32 @_Z20atomic_load_explicitPU3AS0VU7_Atomici12memory_order12memory_scope(ptr noundef %arrayidx9.ascast, i32 noundef 2, i32 noundef 1) #6
  %tobool11.not = icmp eq i32 %call10, 0
  br i1 %tobool11.not, label %if.then12, label %if.end23

if.then12:                                        ; preds = %if.end
  %self.ascast = addrspacecast ptr addrspace(5) %self to ptr
  %call13 = call zeroext i1 @_Z39atomic_compare_exchange_strong_explicitPU3AS0VU7_AtomiciPU3AS0ii12memory_orderS4_12memory_scope(ptr noundef addrspacecast (ptr addrspace(1) @tail to ptr), ptr noundef %self.ascast, i32 noundef 0, i32 noundef 3, i32 noundef 0, i32 noundef 1) #6
  br i1 %call13, label %cleanup, label %while.cond16

while.cond16:                                     ; preds = %if.then12, %while.cond16
  %call19 = call i32 @_Z20atomic_load_explicitPU3AS0VU7_Atomici12memory_order12memory_scope(ptr noundef %arrayidx9.ascast, i32 noundef 2, i32 noundef 1) #6
  %tobool20.not = icmp eq i32 %call19, 0
  br i1 %tobool20.not, label %while.cond16, label %if.end23, !llvm.loop !15

if.end23:                                         ; preds = %while.cond16, %if.end
  %call26 = call i32 @_Z20atomic_load_explicitPU3AS0VU7_Atomici12memory_order12memory_scope(ptr noundef %arrayidx9.ascast, i32 noundef 0, i32 noundef 1) #6
  %idxprom27 = sext i32 %call26 to i64
  %arrayidx28 = getelementptr inbounds [3 x i32], ptr addrspace(1) @blocked, i64 0, i64 %idxprom27
  %arrayidx28.ascast = addrspacecast ptr addrspace(1) %arrayidx28 to ptr
  call void @_Z21atomic_store_explicitPU3AS0VU7_Atomicii12memory_order12memory_scope(ptr noundef %arrayidx28.ascast, i32 noundef 0, i32 noundef 3, i32 noundef 1) #6
  br label %cleanup

cleanup:                                          ; preds = %if.then12, %if.end23
  call void @llvm.lifetime.end.p5(i64 4, ptr addrspace(5) %self) #5
  ret void
}

declare void @llvm.lifetime.start.p5(i64 immarg, ptr addrspace(5) nocapture) #1

declare hidden i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #2

declare hidden i32 @_Z24atomic_exchange_explicitPU3AS0VU7_Atomicii12memory_order12memory_scope(ptr noundef, i32 noundef, i32 noundef, i32 noundef) local_unnamed_addr #3

declare hidden void @_Z21atomic_store_explicitPU3AS0VU7_Atomicii12memory_order12memory_scope(ptr noundef, i32 noundef, i32 noundef, i32 noundef) local_unnamed_addr #3

declare hidden i32 @_Z20atomic_load_explicitPU3AS0VU7_Atomici12memory_order12memory_scope(ptr noundef, i32 noundef, i32 noundef) local_unnamed_addr #3

declare hidden zeroext i1 @_Z39atomic_compare_exchange_strong_explicitPU3AS0VU7_AtomiciPU3AS0ii12memory_orderS4_12memory_scope(ptr noundef, ptr noundef, i32 noundef, i32 noundef, i32 noundef, i32 noundef) local_unnamed_addr #3

declare void @llvm.lifetime.end.p5(i64 immarg, ptr addrspace(5) nocapture) #1

attributes #0 = { convergent norecurse nounwind "amdgpu-flat-work-group-size"="1,256" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "uniform-work-group-size"="false" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { convergent mustprogress nofree nounwind willreturn memory(none) "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #3 = { convergent nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #4 = { convergent nounwind willreturn memory(none) }
attributes #5 = { nounwind }
attributes #6 = { convergent nounwind }

!llvm.module.flags = !{!0, !1, !2}
!opencl.ocl.version = !{!3}

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
!15 = distinct !{!15, !14}
