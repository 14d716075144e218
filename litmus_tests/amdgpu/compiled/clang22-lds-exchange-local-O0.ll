; Two work-items swap through LDS, a barrier between fences for "local": right, at -O0
; REF: clang __builtin_amdgcn_fence; LLVM AMDGPUUsage, amdgpu-synchronize-as
; Each stores its element, waits, and loads the other one.
; THREADS: a=@exchange() b=@exchange()
; SCOPES: (agent (workgroup a b))
; PROFILE: amdgpu
; NEVER: ~(@out[0] = 1 /\ @out[1] = 1)
; EXPECT: amdgpu=Never llvm=Never amdgpu-2026=Never
;
; clang -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -nogpulib -O0 -S -emit-llvm, of
;
; | global int out[2];
; |
; | kernel void exchange(void) {
; |   local int tile[2];
; |   int me = __builtin_amdgcn_workitem_id_x();
; |   tile[me] = 1;
; |   __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup", "local");
; |   __builtin_amdgcn_s_barrier();
; |   __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup", "local");
; |   out[me] = tile[me ^ 1];
; | }

source_filename = "t.cl"
target datalayout = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"

@out = hidden addrspace(1) global [2 x i32] zeroinitializer, align 4
@exchange.tile = internal addrspace(3) global [2 x i32] undef, align 4
@.str = private unnamed_addr addrspace(4) constant [10 x i8] c"workgroup\00", align 1
@.str.1 = private unnamed_addr addrspace(4) constant [6 x i8] c"local\00", align 1

; Function Attrs: convergent noinline norecurse nounwind optnone
define protected amdgpu_kernel void @exchange() #0 !kernel_arg_addr_space !6 !kernel_arg_access_qual !6 !kernel_arg_type !6 !kernel_arg_base_type !6 !kernel_arg_type_qual !6 {
  call void @__clang_ocl_kern_imp_exchange() #4
  ret void
}

; Function Attrs: convergent noinline norecurse nounwind optnone
define protected void @__clang_ocl_kern_imp_exchange() #1 !kernel_arg_addr_space !6 !kernel_arg_access_qual !6 !kernel_arg_type !6 !kernel_arg_base_type !6 !kernel_arg_type_qual !6 {
  %1 = alloca i32, align 4, addrspace(5)
  %2 = call i32 @llvm.amdgcn.workitem.id.x()
  store i32 %2, ptr addrspace(5) %1, align 4
  %3 = load i32, ptr addrspace(5) %1, align 4
  %4 = sext i32 %3 to i64
  %5 = getelementptr inbounds [2 x i32], ptr addrspace(3) @exchange.tile, i64 0, i64 %4
  store i32 1, ptr addrspace(3) %5, align 4
  fence syncscope("workgroup") release, !mmra !7
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !7
  %6 = load i32, ptr addrspace(5) %1, align 4
  %7 = xor i32 %6, 1
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [2 x i32], ptr addrspace(3) @exchange.tile, i64 0, i64 %8
  %10 = load i32, ptr addrspace(3) %9, align 4
  %11 = load i32, ptr addrspace(5) %1, align 4
  %12 = sext i32 %11 to i64
  %13 = getelementptr inbounds [2 x i32], ptr addrspace(1) @out, i64 0, i64 %12
  store i32 %10, ptr addrspace(1) %13, align 4
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.amdgcn.workitem.id.x() #2

; Function Attrs: convergent nocallback nofree nounwind willreturn
declare void @llvm.amdgcn.s.barrier() #3

attributes #0 = { convergent noinline norecurse nounwind optnone "amdgpu-flat-work-group-size"="1,256" "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "uniform-work-group-size"="false" }
attributes #1 = { convergent noinline norecurse nounwind optnone "amdgpu-flat-work-group-size"="1,256" "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { convergent nocallback nofree nounwind willreturn }
attributes #4 = { convergent nounwind }

!llvm.module.flags = !{!0, !1, !2, !3}
!opencl.ocl.version = !{!4}
!llvm.ident = !{!5}

!0 = !{i32 1, !"amdhsa_code_object_version", i32 600}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 8, !"PIC Level", i32 2}
!3 = !{i32 7, !"frame-pointer", i32 2}
!4 = !{i32 2, i32 0}
!5 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!6 = !{}
!7 = !{!"amdgpu-synchronize-as", !"local"}
