; A barrier of all workgroups of a grid: each writes its slot, arrives, waits for all, and reads the other's
; REF: Xiao, Feng: Inter-block GPU communication via fast barrier synchronization, IPDPS 2010
; From grid-barrier.cl: clang -O1 -S -emit-llvm -fno-discard-value-names -x cl -cl-std=CL2.0 --target=amdgcn-amd-amdhsa -nogpulib grid-barrier.cl
; LAUNCH: @meet(i32 0) workgroups=2 lanes=1
; PROFILE: amdgpu
; FORALL: @seen[0] = 1 /\ @seen[1] = 1
; EXPECT: llvm=Always amdgpu=Always

target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7"
target triple = "amdgcn-amd-amdhsa"

@slots = hidden local_unnamed_addr addrspace(1) global [2 x i32] zeroinitializer, align 4
@arrived = hidden addrspace(1) global i32 0, align 4
@seen = hidden local_unnamed_addr addrspace(1) global [2 x i32] zeroinitializer, align 4

define protected amdgpu_kernel void @meet(i32 noundef %unused) local_unnamed_addr #0 !kernel_arg_addr_space !5 !kernel_arg_access_qual !6 !kernel_arg_type !7 !kernel_arg_base_type !7 !kernel_arg_type_qual !8 {
entry:
  %call = tail call i64 @_Z12get_group_idj(i32 noundef 0) #3
  %sext = shl i64 %call, 32
  %idxprom = ashr exact i64 %sext, 32
  %arrayidx = getelementptr inbounds [2 x i32], ptr addrspace(1) @slots, i64 0, i64 %idxprom
  store i32 1, ptr addrspace(1) %arrayidx, align 4, !tbaa !9
  %call1 = tail call i32 @_Z25atomic_fetch_add_explicitPU3AS0VU7_Atomicii12memory_order12memory_scope(ptr noundef addrspacecast (ptr addrspace(1) @arrived to ptr), i32 noundef 1, i32 noundef 4, i32 noundef 2) #4
  br label %while.cond

while.cond:                                       ; preds = %while.cond, %entry
  %call2 = tail call i32 @_Z20atomic_load_explicitPU3AS0VU7_Atomici12memory_order12memory_scope(ptr noundef addrspacecast (ptr addrspace(1) @arrived to ptr), i32 noundef 2, i32 noundef 2) #4
  %cmp.not = icmp eq i32 %call2, 2
  br i1 %cmp.not, label %while.end, label %while.cond, !llvm.loop !13

while.end:                                        ; preds = %while.cond
  %sext10 = sub i64 4294967296, %sext
  %idxprom4 = ashr exact i64 %sext10, 32
  %arrayidx5 = getelementptr inbounds [2 x i32], ptr addrspace(1) @slots, i64 0, i64 %idxprom4
  %0 = load i32, ptr addrspace(1) %arrayidx5, align 4, !tbaa !9
  %arrayidx7 = getelementptr inbounds [2 x i32], ptr addrspace(1) @seen, i64 0, i64 %idxprom
  store i32 %0, ptr addrspace(1) %arrayidx7, align 4, !tbaa !9
  ret void
}

declare hidden i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #1

declare hidden i32 @_Z25atomic_fetch_add_explicitPU3AS0VU7_Atomicii12memory_order12memory_scope(ptr noundef, i32 noundef, i32 noundef, i32 noundef) local_unnamed_addr #2

declare hidden i32 @_Z20atomic_load_explicitPU3AS0VU7_Atomici12memory_order12memory_scope(ptr noundef, i32 noundef, i32 noundef) local_unnamed_addr #2

attributes #0 = { convergent norecurse nounwind "amdgpu-flat-work-group-size"="1,256" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "uniform-work-group-size"="false" }
attributes #1 = { convergent mustprogress nofree nounwind willreturn memory(none) "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #2 = { convergent nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #3 = { convergent nounwind willreturn memory(none) }
attributes #4 = { convergent nounwind }

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
