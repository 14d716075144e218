; The last block adds up what blocks have summed in local memory: the fence before the count is of the workgroup
; From last-block.cl: clang -O1 -S -emit-llvm -fno-discard-value-names -x cl -cl-std=CL2.0 --target=amdgcn-amd-amdhsa -nogpulib -DBEFORE=memory_scope_work_group last-block.cl
; LAUNCH: @reduce(i32 0) workgroups=2 waves=2 lanes=1
; PROFILE: amdgpu
; FORALL: @sum = 10
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race

target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7"
target triple = "amdgcn-amd-amdhsa"

@in = hidden local_unnamed_addr addrspace(1) global [4 x i32] [i32 1, i32 2, i32 3, i32 4], align 4
@reduce.part = internal unnamed_addr addrspace(3) global [2 x i32] undef, align 4
@reduce.last = internal unnamed_addr addrspace(3) global i32 undef, align 4
@partial = hidden local_unnamed_addr addrspace(1) global [2 x i32] zeroinitializer, align 4
@count = hidden addrspace(1) global i32 0, align 4
@sum = hidden local_unnamed_addr addrspace(1) global i32 0, align 4

; Function Attrs: convergent norecurse nounwind
define protected amdgpu_kernel void @reduce(i32 noundef %unused) local_unnamed_addr #0 !kernel_arg_addr_space !5 !kernel_arg_access_qual !6 !kernel_arg_type !7 !kernel_arg_base_type !7 !kernel_arg_type_qual !8 {
entry:
  %call = tail call i64 @_Z12get_local_idj(i32 noundef 0) #3
  %conv = trunc i64 %call to i32
  %call1 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #3
  %call3 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #3
  %arrayidx = getelementptr inbounds [4 x i32], ptr addrspace(1) @in, i64 0, i64 %call3
  %0 = load i32, ptr addrspace(1) %arrayidx, align 4, !tbaa !9
  %arrayidx4 = getelementptr inbounds [2 x i32], ptr addrspace(3) @reduce.part, i32 0, i32 %conv
  store i32 %0, ptr addrspace(3) %arrayidx4, align 4, !tbaa !9
  tail call void @_Z7barrierj(i32 noundef 1) #4
  %cmp = icmp eq i32 %conv, 0
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %1 = load i32, ptr addrspace(3) @reduce.part, align 4, !tbaa !9
  %2 = load i32, ptr addrspace(3) getelementptr inbounds ([2 x i32], ptr addrspace(3) @reduce.part, i32 0, i32 1), align 4, !tbaa !9
  %add = add nsw i32 %2, %1
  %sext = shl i64 %call1, 32
  %idxprom6 = ashr exact i64 %sext, 32
  %arrayidx7 = getelementptr inbounds [2 x i32], ptr addrspace(1) @partial, i64 0, i64 %idxprom6
  store i32 %add, ptr addrspace(1) %arrayidx7, align 4, !tbaa !9
  tail call void @_Z22atomic_work_item_fencej12memory_order12memory_scope(i32 noundef 2, i32 noundef 4, i32 noundef 1) #4
  %call8 = tail call i32 @_Z25atomic_fetch_add_explicitPU3AS0VU7_Atomicii12memory_order12memory_scope(ptr noundef addrspacecast (ptr addrspace(1) @count to ptr), i32 noundef 1, i32 noundef 0, i32 noundef 2) #4
  %cmp9 = icmp eq i32 %call8, 1
  %conv10 = zext i1 %cmp9 to i32
  store i32 %conv10, ptr addrspace(3) @reduce.last, align 4, !tbaa !9
  tail call void @_Z22atomic_work_item_fencej12memory_order12memory_scope(i32 noundef 2, i32 noundef 4, i32 noundef 2) #4
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  tail call void @_Z7barrierj(i32 noundef 3) #4
  %3 = load i32, ptr addrspace(3) @reduce.last, align 4, !tbaa !9
  %tobool = icmp ne i32 %3, 0
  %cmp11 = icmp eq i32 %conv, 1
  %or.cond = select i1 %tobool, i1 %cmp11, i1 false
  br i1 %or.cond, label %if.then13, label %if.end15

if.then13:                                        ; preds = %if.end
  %4 = load i32, ptr addrspace(1) @partial, align 4, !tbaa !9
  %5 = load i32, ptr addrspace(1) getelementptr inbounds ([2 x i32], ptr addrspace(1) @partial, i64 0, i64 1), align 4, !tbaa !9
  %add14 = add nsw i32 %5, %4
  store i32 %add14, ptr addrspace(1) @sum, align 4, !tbaa !9
  br label %if.end15

if.end15:                                         ; preds = %if.then13, %if.end
  ret void
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare hidden i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #1

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare hidden i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #1

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare hidden i64 @_Z13get_global_idj(i32 noundef) local_unnamed_addr #1

; Function Attrs: convergent nounwind
declare hidden void @_Z7barrierj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent nounwind
declare hidden void @_Z22atomic_work_item_fencej12memory_order12memory_scope(i32 noundef, i32 noundef, i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent nounwind
declare hidden i32 @_Z25atomic_fetch_add_explicitPU3AS0VU7_Atomicii12memory_order12memory_scope(ptr noundef, i32 noundef, i32 noundef, i32 noundef) local_unnamed_addr #2

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
