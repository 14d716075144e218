; A tile in local memory: the lanes fill it, meet at a barrier, and read each other's part: without the barrier
; From lds-tile.cl: clang -O1 -S -emit-llvm -fno-discard-value-names -x cl -cl-std=CL2.0 --target=amdgcn-amd-amdhsa -nogpulib -DNONE lds-tile.cl
; LAUNCH: @tile(i32 0) workgroups=1 lanes=2
; PROFILE: amdgpu
; FORALL: @seen[0] = 2 /\ @seen[1] = 1
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race

target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7"
target triple = "amdgcn-amd-amdhsa"

@tile.part = internal unnamed_addr addrspace(3) global [2 x i32] undef, align 4
@seen = hidden local_unnamed_addr addrspace(1) global [2 x i32] zeroinitializer, align 4

define protected amdgpu_kernel void @tile(i32 noundef %unused) local_unnamed_addr #0 !kernel_arg_addr_space !5 !kernel_arg_access_qual !6 !kernel_arg_type !7 !kernel_arg_base_type !7 !kernel_arg_type_qual !8 {
entry:
  %call = tail call i64 @_Z12get_local_idj(i32 noundef 0) #2
  %conv = trunc i64 %call to i32
  %add = add nsw i32 %conv, 1
  %sext = shl i64 %call, 32
  %idxprom = ashr exact i64 %sext, 32
  %arrayidx = getelementptr inbounds [2 x i32], ptr addrspace(3) @tile.part, i32 0, i32 %conv
  store i32 %add, ptr addrspace(3) %arrayidx, align 4, !tbaa !9
  %sext8 = sub i64 4294967296, %sext
  %0 = lshr exact i64 %sext8, 32
  %1 = trunc i64 %0 to i32
  %arrayidx2 = getelementptr inbounds [2 x i32], ptr addrspace(3) @tile.part, i32 0, i32 %1
  %2 = load i32, ptr addrspace(3) %arrayidx2, align 4, !tbaa !9
  %arrayidx4 = getelementptr inbounds [2 x i32], ptr addrspace(1) @seen, i64 0, i64 %idxprom
  store i32 %2, ptr addrspace(1) %arrayidx4, align 4, !tbaa !9
  ret void
}

declare hidden i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #1

attributes #0 = { convergent mustprogress nofree norecurse nounwind willreturn memory(readwrite, argmem: none, inaccessiblemem: none) "amdgpu-flat-work-group-size"="1,256" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "uniform-work-group-size"="false" }
attributes #1 = { convergent mustprogress nofree nounwind willreturn memory(none) "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #2 = { convergent nounwind willreturn memory(none) }

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
