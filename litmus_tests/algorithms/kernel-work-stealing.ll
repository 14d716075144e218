; A task in a queue of a workgroup, which another one steals: who advances the head runs it
; From work-stealing.cl: clang -O1 -S -emit-llvm -fno-discard-value-names -x cl -cl-std=CL2.0 --target=amdgcn-amd-amdhsa -nogpulib work-stealing.cl
; LAUNCH: @steal(i32 0) workgroups=2 lanes=1
; PROFILE: amdgpu
; FORALL: @result[0] = 7 /\ @result[1] = 0 \/ @result[0] = 0 /\ @result[1] = 7
; EXPECT: llvm=Always amdgpu=Always

target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7"
target triple = "amdgcn-amd-amdhsa"

@task = hidden local_unnamed_addr addrspace(1) global i32 0, align 4
@tail = hidden addrspace(1) global i32 0, align 4
@head = hidden addrspace(1) global i32 0, align 4
@result = hidden local_unnamed_addr addrspace(1) global [2 x i32] zeroinitializer, align 4

define protected amdgpu_kernel void @steal(i32 noundef %unused) local_unnamed_addr #0 !kernel_arg_addr_space !5 !kernel_arg_access_qual !6 !kernel_arg_type !7 !kernel_arg_base_type !7 !kernel_arg_type_qual !8 {
entry:
  %first.i = alloca i32, align 4, addrspace(5)
  %call = tail call i64 @_Z12get_group_idj(i32 noundef 0) #4
  %0 = and i64 %call, 4294967295
  %cmp = icmp eq i64 %0, 0
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  store i32 7, ptr addrspace(1) @task, align 4, !tbaa !9
  tail call void @_Z21atomic_store_explicitPU3AS0VU7_Atomicii12memory_order12memory_scope(ptr noundef addrspacecast (ptr addrspace(1) @tail to ptr), i32 noundef 1, i32 noundef 3, i32 noundef 2) #5
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  call void @llvm.lifetime.start.p5(i64 4, ptr addrspace(5) %first.i) #6
  store i32 0, ptr addrspace(5) %first.i, align 4, !tbaa !9
  %call.i = tail call i32 @_Z20atomic_load_explicitPU3AS0VU7_Atomici12memory_order12memory_scope(ptr noundef addrspacecast (ptr addrspace(1) @tail to ptr), i32 noundef 2, i32 noundef 2) #5
  %cmp.i = icmp eq i32 %call.i, 1
  br i1 %cmp.i, label %land.lhs.true.i, label %take.exit

land.lhs.true.i:                                  ; preds = %if.end
  %first.ascast.i = addrspacecast ptr addrspace(5) %first.i to ptr
  %call1.i = call zeroext i1 @_Z39atomic_compare_exchange_strong_explicitPU3AS0VU7_AtomiciPU3AS0ii12memory_orderS4_12memory_scope(ptr noundef addrspacecast (ptr addrspace(1) @head to ptr), ptr noundef %first.ascast.i, i32 noundef 1, i32 noundef 4, i32 noundef 0, i32 noundef 2) #5
  br i1 %call1.i, label %if.then.i, label %take.exit

if.then.i:                                        ; preds = %land.lhs.true.i
  %1 = load i32, ptr addrspace(1) @task, align 4, !tbaa !9
  %sext = shl i64 %call, 32
  %idxprom.i = ashr exact i64 %sext, 32
  %arrayidx.i = getelementptr inbounds [2 x i32], ptr addrspace(1) @result, i64 0, i64 %idxprom.i
  store i32 %1, ptr addrspace(1) %arrayidx.i, align 4, !tbaa !9
  br label %take.exit

take.exit:                                        ; preds = %if.end, %land.lhs.true.i, %if.then.i
  call void @llvm.lifetime.end.p5(i64 4, ptr addrspace(5) %first.i) #6
  ret void
}

declare void @llvm.lifetime.start.p5(i64 immarg, ptr addrspace(5) nocapture) #1

declare hidden i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #2

declare hidden void @_Z21atomic_store_explicitPU3AS0VU7_Atomicii12memory_order12memory_scope(ptr noundef, i32 noundef, i32 noundef, i32 noundef) local_unnamed_addr #3

declare void @llvm.lifetime.end.p5(i64 immarg, ptr addrspace(5) nocapture) #1

declare hidden i32 @_Z20atomic_load_explicitPU3AS0VU7_Atomici12memory_order12memory_scope(ptr noundef, i32 noundef, i32 noundef) local_unnamed_addr #3

declare hidden zeroext i1 @_Z39atomic_compare_exchange_strong_explicitPU3AS0VU7_AtomiciPU3AS0ii12memory_orderS4_12memory_scope(ptr noundef, ptr noundef, i32 noundef, i32 noundef, i32 noundef, i32 noundef) local_unnamed_addr #3

attributes #0 = { convergent norecurse nounwind "amdgpu-flat-work-group-size"="1,256" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "uniform-work-group-size"="false" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { convergent mustprogress nofree nounwind willreturn memory(none) "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #3 = { convergent nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #4 = { convergent nounwind willreturn memory(none) }
attributes #5 = { convergent nounwind }
attributes #6 = { nounwind }

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
