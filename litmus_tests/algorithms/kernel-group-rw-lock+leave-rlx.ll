; A lock of many readers or one writer, between workgroups: the writer leaves relaxed
; From group-rw-lock.cl: clang -O1 -S -emit-llvm -fno-discard-value-names -x cl -cl-std=CL2.0 --target=amdgcn-amd-amdhsa -nogpulib -DLEAVE=memory_order_relaxed group-rw-lock.cl
; LAUNCH: @share(i32 0) workgroups=2 lanes=1
; PROFILE: amdgpu
; FORALL: @seen = 0 \/ @seen = 1
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race

target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7"
target triple = "amdgcn-amd-amdhsa"

@state = hidden addrspace(1) global i32 0, align 4
@value = hidden local_unnamed_addr addrspace(1) global i32 0, align 4
@seen = hidden local_unnamed_addr addrspace(1) global i32 0, align 4

define protected amdgpu_kernel void @share(i32 noundef %unused) local_unnamed_addr #0 !kernel_arg_addr_space !5 !kernel_arg_access_qual !6 !kernel_arg_type !7 !kernel_arg_base_type !7 !kernel_arg_type_qual !8 {
entry:
  %free = alloca i32, align 4, addrspace(5)
  %readers = alloca i32, align 4, addrspace(5)
  %call = tail call i64 @_Z12get_group_idj(i32 noundef 0) #4
  %cmp = icmp eq i64 %call, 0
  br i1 %cmp, label %if.then, label %if.else

if.then:                                          ; preds = %entry
  call void @llvm.lifetime.start.p5(i64 4, ptr addrspace(5) %free) #5
  store i32 0, ptr addrspace(5) %free, align 4, !tbaa !9
  %free.ascast = addrspacecast ptr addrspace(5) %free to ptr
  %call1 = call zeroext i1 @_Z39atomic_compare_exchange_strong_explicitPU3AS0VU7_AtomiciPU3AS0ii12memory_orderS4_12memory_scope(ptr noundef addrspacecast (ptr addrspace(1) @state to ptr), ptr noundef %free.ascast, i32 noundef -1, i32 noundef 2, i32 noundef 0, i32 noundef 2) #6
  br i1 %call1, label %if.then2, label %if.end

if.then2:                                         ; preds = %if.then
  store i32 1, ptr addrspace(1) @value, align 4, !tbaa !9
  call void @_Z21atomic_store_explicitPU3AS0VU7_Atomicii12memory_order12memory_scope(ptr noundef addrspacecast (ptr addrspace(1) @state to ptr), i32 noundef 0, i32 noundef 0, i32 noundef 2) #6
  br label %if.end

if.end:                                           ; preds = %if.then2, %if.then
  call void @llvm.lifetime.end.p5(i64 4, ptr addrspace(5) %free) #5
  br label %if.end9

if.else:                                          ; preds = %entry
  call void @llvm.lifetime.start.p5(i64 4, ptr addrspace(5) %readers) #5
  %call3 = tail call i32 @_Z20atomic_load_explicitPU3AS0VU7_Atomici12memory_order12memory_scope(ptr noundef addrspacecast (ptr addrspace(1) @state to ptr), i32 noundef 0, i32 noundef 2) #6
  store i32 %call3, ptr addrspace(5) %readers, align 4, !tbaa !9
  %cmp4 = icmp sgt i32 %call3, -1
  br i1 %cmp4, label %land.lhs.true, label %if.end8

land.lhs.true:                                    ; preds = %if.else
  %readers.ascast = addrspacecast ptr addrspace(5) %readers to ptr
  %add = add nsw i32 %call3, 1
  %call5 = call zeroext i1 @_Z39atomic_compare_exchange_strong_explicitPU3AS0VU7_AtomiciPU3AS0ii12memory_orderS4_12memory_scope(ptr noundef addrspacecast (ptr addrspace(1) @state to ptr), ptr noundef %readers.ascast, i32 noundef %add, i32 noundef 2, i32 noundef 0, i32 noundef 2) #6
  br i1 %call5, label %if.then6, label %if.end8

if.then6:                                         ; preds = %land.lhs.true
  %0 = load i32, ptr addrspace(1) @value, align 4, !tbaa !9
  store i32 %0, ptr addrspace(1) @seen, align 4, !tbaa !9
  %call7 = call i32 @_Z25atomic_fetch_sub_explicitPU3AS0VU7_Atomicii12memory_order12memory_scope(ptr noundef addrspacecast (ptr addrspace(1) @state to ptr), i32 noundef 1, i32 noundef 3, i32 noundef 2) #6
  br label %if.end8

if.end8:                                          ; preds = %if.then6, %land.lhs.true, %if.else
  call void @llvm.lifetime.end.p5(i64 4, ptr addrspace(5) %readers) #5
  br label %if.end9

if.end9:                                          ; preds = %if.end8, %if.end
  ret void
}

declare hidden i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #1

declare void @llvm.lifetime.start.p5(i64 immarg, ptr addrspace(5) nocapture) #2

declare hidden zeroext i1 @_Z39atomic_compare_exchange_strong_explicitPU3AS0VU7_AtomiciPU3AS0ii12memory_orderS4_12memory_scope(ptr noundef, ptr noundef, i32 noundef, i32 noundef, i32 noundef, i32 noundef) local_unnamed_addr #3

declare hidden void @_Z21atomic_store_explicitPU3AS0VU7_Atomicii12memory_order12memory_scope(ptr noundef, i32 noundef, i32 noundef, i32 noundef) local_unnamed_addr #3

declare void @llvm.lifetime.end.p5(i64 immarg, ptr addrspace(5) nocapture) #2

declare hidden i32 @_Z20atomic_load_explicitPU3AS0VU7_Atomici12memory_order12memory_scope(ptr noundef, i32 noundef, i32 noundef) local_unnamed_addr #3

declare hidden i32 @_Z25atomic_fetch_sub_explicitPU3AS0VU7_Atomicii12memory_order12memory_scope(ptr noundef, i32 noundef, i32 noundef, i32 noundef) local_unnamed_addr #3

attributes #0 = { convergent norecurse nounwind "amdgpu-flat-work-group-size"="1,256" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "uniform-work-group-size"="false" }
attributes #1 = { convergent mustprogress nofree nounwind willreturn memory(none) "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #2 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
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
