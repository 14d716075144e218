; Workgroups that draw tiles until there are none left: one wave draws, and tells the others by local memory
; From broadcast-tile.cl: clang -O1 -S -emit-llvm -fno-discard-value-names -x cl -cl-std=CL2.0 --target=amdgcn-amd-amdhsa -nogpulib broadcast-tile.cl
; LAUNCH: @draw() workgroups=2 waves=2 lanes=1
; PROFILE: amdgpu
; FORALL: @done[0] = 2
; EXPECT: llvm=Always amdgpu=Always

target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7"
target triple = "amdgcn-amd-amdhsa"

@draw.tile = internal unnamed_addr addrspace(3) global i32 undef, align 4
@next = hidden addrspace(1) global i32 0, align 4
@done = hidden addrspace(1) global [2 x i32] zeroinitializer, align 4

define protected amdgpu_kernel void @draw() local_unnamed_addr #0 !kernel_arg_addr_space !5 !kernel_arg_access_qual !5 !kernel_arg_type !5 !kernel_arg_base_type !5 !kernel_arg_type_qual !5 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %if.end4, %entry
  %call = tail call i64 @_Z12get_local_idj(i32 noundef 0) #3
  %cmp = icmp eq i64 %call, 0
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %for.cond
  %call1 = tail call i32 @_Z25atomic_fetch_add_explicitPU3AS0VU7_Atomicii12memory_order12memory_scope(ptr noundef addrspacecast (ptr addrspace(1) @next to ptr), i32 noundef 1, i32 noundef 0, i32 noundef 2) #4
  store i32 %call1, ptr addrspace(3) @draw.tile, align 4, !tbaa !6
  br label %if.end

if.end:                                           ; preds = %if.then, %for.cond
  tail call void @_Z7barrierj(i32 noundef 1) #4
  %0 = load i32, ptr addrspace(3) @draw.tile, align 4, !tbaa !6
  %cmp2 = icmp slt i32 %0, 1
  br i1 %cmp2, label %if.end4, label %return

if.end4:                                          ; preds = %if.end
  %idxprom = sext i32 %0 to i64
  %arrayidx = getelementptr inbounds [2 x i32], ptr addrspace(1) @done, i64 0, i64 %idxprom
  %arrayidx.ascast = addrspacecast ptr addrspace(1) %arrayidx to ptr
  %call5 = tail call i32 @_Z25atomic_fetch_add_explicitPU3AS0VU7_Atomicii12memory_order12memory_scope(ptr noundef %arrayidx.ascast, i32 noundef 1, i32 noundef 0, i32 noundef 2) #4
  tail call void @_Z7barrierj(i32 noundef 1) #4
  br label %for.cond

return:                                           ; preds = %if.end
  ret void
}

declare hidden i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #1

declare hidden i32 @_Z25atomic_fetch_add_explicitPU3AS0VU7_Atomicii12memory_order12memory_scope(ptr noundef, i32 noundef, i32 noundef, i32 noundef) local_unnamed_addr #2

declare hidden void @_Z7barrierj(i32 noundef) local_unnamed_addr #2

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
!5 = !{}
!6 = !{!7, !7, i64 0}
!7 = !{!"int", !8, i64 0}
!8 = !{!"omnipotent char", !9, i64 0}
!9 = !{!"Simple C/C++ TBAA"}
