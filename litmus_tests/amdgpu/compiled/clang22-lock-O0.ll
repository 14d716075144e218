; A try-lock by compare-exchange, acquire and release at device scope: right, at -O0
; REF: clang __builtin_amdgcn_fence; LLVM AMDGPUUsage, amdgpu-synchronize-as
; Who gets the lock sees the count that the previous holder left.
; THREADS: a=@increment() b=@increment()
; SCOPES: (agent (workgroup a) (workgroup b))
; PROFILE: amdgpu
; NEVER: ~(@count = 1 \/ @count = 2)
; EXPECT: amdgpu=Never llvm=Never amdgpu-2026=Never
;
; clang -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -nogpulib -O0 -S -emit-llvm, of
;
; | global atomic_int lock = ATOMIC_VAR_INIT(0);
; | global int count;
; |
; | kernel void increment(void) {
; |   int expected = 0;
; |   if (__opencl_atomic_compare_exchange_strong(&lock, &expected, 1, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED,
; |                                               __OPENCL_MEMORY_SCOPE_DEVICE)) {
; |     count += 1;
; |     __opencl_atomic_store(&lock, 0, __ATOMIC_RELEASE, __OPENCL_MEMORY_SCOPE_DEVICE);
; |   }
; | }

source_filename = "t.cl"
target datalayout = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"

@lock = hidden addrspace(1) global i32 0, align 4
@count = hidden addrspace(1) global i32 0, align 4

; Function Attrs: convergent noinline norecurse nounwind optnone
define protected amdgpu_kernel void @increment() #0 !kernel_arg_addr_space !6 !kernel_arg_access_qual !6 !kernel_arg_type !6 !kernel_arg_base_type !6 !kernel_arg_type_qual !6 {
  call void @__clang_ocl_kern_imp_increment() #2
  ret void
}

; Function Attrs: convergent noinline norecurse nounwind optnone
define protected void @__clang_ocl_kern_imp_increment() #1 !kernel_arg_addr_space !6 !kernel_arg_access_qual !6 !kernel_arg_type !6 !kernel_arg_base_type !6 !kernel_arg_type_qual !6 {
  %1 = alloca i32, align 4, addrspace(5)
  %2 = alloca i32, align 4, addrspace(5)
  %3 = alloca i8, align 1, addrspace(5)
  %4 = alloca i32, align 4, addrspace(5)
  %5 = addrspacecast ptr addrspace(5) %2 to ptr
  %6 = addrspacecast ptr addrspace(5) %3 to ptr
  %7 = addrspacecast ptr addrspace(5) %4 to ptr
  store i32 0, ptr addrspace(5) %1, align 4
  store i32 1, ptr %5, align 4
  %8 = load i32, ptr addrspace(5) %1, align 4
  %9 = load i32, ptr %5, align 4
  %10 = cmpxchg ptr addrspace(1) @lock, i32 %8, i32 %9 syncscope("agent-one-as") acquire monotonic, align 4
  %11 = extractvalue { i32, i1 } %10, 0
  %12 = extractvalue { i32, i1 } %10, 1
  br i1 %12, label %14, label %13

13:                                               ; preds = %0
  store i32 %11, ptr addrspace(5) %1, align 4
  br label %14

14:                                               ; preds = %13, %0
  %15 = zext i1 %12 to i8
  store i8 %15, ptr %6, align 1
  %16 = load i8, ptr %6, align 1
  %17 = trunc i8 %16 to i1
  br i1 %17, label %18, label %22

18:                                               ; preds = %14
  %19 = load i32, ptr addrspace(1) @count, align 4
  %20 = add nsw i32 %19, 1
  store i32 %20, ptr addrspace(1) @count, align 4
  store i32 0, ptr %7, align 4
  %21 = load i32, ptr %7, align 4
  store atomic i32 %21, ptr addrspace(1) @lock syncscope("agent-one-as") release, align 4
  br label %22

22:                                               ; preds = %18, %14
  ret void
}

attributes #0 = { convergent noinline norecurse nounwind optnone "amdgpu-flat-work-group-size"="1,256" "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "uniform-work-group-size"="false" }
attributes #1 = { convergent noinline norecurse nounwind optnone "amdgpu-flat-work-group-size"="1,256" "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #2 = { convergent nounwind }

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
