; Split-K: workgroups add to a tile in turn, as a semaphore says
; From split-k.cl: clang -O1 -S -emit-llvm -fno-discard-value-names -x cl -cl-std=CL2.0 --target=amdgcn-amd-amdhsa -nogpulib split-k.cl
; LAUNCH: @add(i32 0) workgroups=2 waves=2 lanes=1
; PROFILE: amdgpu
; FORALL: @tile[0] = 3 /\ @tile[1] = 5
; EXPECT: llvm=Always amdgpu=Always

target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7"
target triple = "amdgcn-amd-amdhsa"

@turn = hidden addrspace(1) global i32 0, align 4
@tile = hidden local_unnamed_addr addrspace(1) global [2 x i32] zeroinitializer, align 4

; Function Attrs: convergent norecurse nounwind
define protected amdgpu_kernel void @add(i32 noundef %unused) local_unnamed_addr #0 !kernel_arg_addr_space !5 !kernel_arg_access_qual !6 !kernel_arg_type !7 !kernel_arg_base_type !7 !kernel_arg_type_qual !8 {
entry:
  %call = tail call i64 @_Z12get_local_idj(i32 noundef 0) #3
  %conv = trunc i64 %call to i32
  %call1 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #3
  %conv2 = trunc i64 %call1 to i32
  %cmp = icmp eq i32 %conv, 0
  br i1 %cmp, label %while.cond, label %if.end

while.cond:                                       ; preds = %entry, %while.cond
  %call4 = tail call i32 @_Z20atomic_load_explicitPU3AS0VU7_Atomici12memory_order12memory_scope(ptr noundef addrspacecast (ptr addrspace(1) @turn to ptr), i32 noundef 2, i32 noundef 2) #4
  %cmp5.not = icmp eq i32 %call4, %conv2
  br i1 %cmp5.not, label %if.end, label %while.cond, !llvm.loop !9

if.end:                                           ; preds = %while.cond, %entry
  tail call void @_Z7barrierj(i32 noundef 2) #4
  %cmp7 = icmp eq i32 %conv2, 0
  br i1 %cmp7, label %cond.end, label %cond.false

cond.false:                                       ; preds = %if.end
  %sext = shl i64 %call, 32
  %idxprom = ashr exact i64 %sext, 32
  %arrayidx = getelementptr inbounds [2 x i32], ptr addrspace(1) @tile, i64 0, i64 %idxprom
  %0 = load i32, ptr addrspace(1) %arrayidx, align 4, !tbaa !11
  br label %cond.end

cond.end:                                         ; preds = %if.end, %cond.false
  %cond = phi i32 [ %0, %cond.false ], [ 0, %if.end ]
  %add = add i32 %conv2, 1
  %add9 = add i32 %add, %conv
  %add10 = add i32 %add9, %cond
  %sext25 = shl i64 %call, 32
  %idxprom11 = ashr exact i64 %sext25, 32
  %arrayidx12 = getelementptr inbounds [2 x i32], ptr addrspace(1) @tile, i64 0, i64 %idxprom11
  store i32 %add10, ptr addrspace(1) %arrayidx12, align 4, !tbaa !11
  tail call void @_Z7barrierj(i32 noundef 2) #4
  br i1 %cmp, label %if.then15, label %if.end17

if.then15:                                        ; preds = %cond.end
  %add16 = add nsw i32 %conv2, 1
  tail call void @_Z21atomic_store_explicitPU3AS0VU7_Atomicii12memory_order12memory_scope(ptr noundef addrspacecast (ptr addrspace(1) @turn to ptr), i32 noundef %add16, i32 noundef 3, i32 noundef 2) #4
  br label %if.end17

if.end17:                                         ; preds = %if.then15, %cond.end
  ret void
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare hidden i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #1

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare hidden i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #1

; Function Attrs: convergent nounwind
declare hidden i32 @_Z20atomic_load_explicitPU3AS0VU7_Atomici12memory_order12memory_scope(ptr noundef, i32 noundef, i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent nounwind
declare hidden void @_Z7barrierj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent nounwind
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
