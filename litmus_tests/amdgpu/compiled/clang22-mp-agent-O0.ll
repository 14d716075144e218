; Message passing between workgroups, fences of agent scope for "global": right, at -O0
; REF: clang __builtin_amdgcn_fence; LLVM AMDGPUUsage, amdgpu-synchronize-as
; The flag is an atomic of scope agent-one-as; the fences carry what the data needs. At -O0 local variables live in addrspace(5).
; THREADS: p=@producer() c=@consumer()
; SCOPES: (agent (workgroup p) (workgroup c))
; PROFILE: amdgpu
; NEVER: ~(@seen = 1 \/ @seen = -1)
; EXPECT: amdgpu=Never llvm=Never amdgpu-2026=Never
;
; clang -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -nogpulib -O0 -S -emit-llvm, of
;
; | global int data;
; | global atomic_int flag = ATOMIC_VAR_INIT(0);
; | global int seen;
; |
; | kernel void producer(void) {
; |   data = 1;
; |   __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent", "global");
; |   __opencl_atomic_store(&flag, 1, __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE);
; | }
; |
; | kernel void consumer(void) {
; |   int value = -1;
; |   if (__opencl_atomic_load(&flag, __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE) == 1) {
; |     __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent", "global");
; |     value = data;
; |   }
; |   seen = value;
; | }

source_filename = "t.cl"
target datalayout = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"

@flag = hidden addrspace(1) global i32 0, align 4
@data = hidden addrspace(1) global i32 0, align 4
@seen = hidden addrspace(1) global i32 0, align 4
@.str = private unnamed_addr addrspace(4) constant [6 x i8] c"agent\00", align 1
@.str.1 = private unnamed_addr addrspace(4) constant [7 x i8] c"global\00", align 1

; Function Attrs: convergent noinline norecurse nounwind optnone
define protected amdgpu_kernel void @producer() #0 !kernel_arg_addr_space !6 !kernel_arg_access_qual !6 !kernel_arg_type !6 !kernel_arg_base_type !6 !kernel_arg_type_qual !6 {
  call void @__clang_ocl_kern_imp_producer() #2
  ret void
}

; Function Attrs: convergent noinline norecurse nounwind optnone
define protected void @__clang_ocl_kern_imp_producer() #1 !kernel_arg_addr_space !6 !kernel_arg_access_qual !6 !kernel_arg_type !6 !kernel_arg_base_type !6 !kernel_arg_type_qual !6 {
  %1 = alloca i32, align 4, addrspace(5)
  %2 = addrspacecast ptr addrspace(5) %1 to ptr
  store i32 1, ptr addrspace(1) @data, align 4
  fence syncscope("agent") release, !mmra !7
  store i32 1, ptr %2, align 4
  %3 = load i32, ptr %2, align 4
  store atomic i32 %3, ptr addrspace(1) @flag syncscope("agent-one-as") monotonic, align 4
  ret void
}

; Function Attrs: convergent noinline norecurse nounwind optnone
define protected amdgpu_kernel void @consumer() #0 !kernel_arg_addr_space !6 !kernel_arg_access_qual !6 !kernel_arg_type !6 !kernel_arg_base_type !6 !kernel_arg_type_qual !6 {
  call void @__clang_ocl_kern_imp_consumer() #2
  ret void
}

; Function Attrs: convergent noinline norecurse nounwind optnone
define protected void @__clang_ocl_kern_imp_consumer() #1 !kernel_arg_addr_space !6 !kernel_arg_access_qual !6 !kernel_arg_type !6 !kernel_arg_base_type !6 !kernel_arg_type_qual !6 {
  %1 = alloca i32, align 4, addrspace(5)
  %2 = alloca i32, align 4, addrspace(5)
  %3 = addrspacecast ptr addrspace(5) %2 to ptr
  store i32 -1, ptr addrspace(5) %1, align 4
  %4 = load atomic i32, ptr addrspace(1) @flag syncscope("agent-one-as") monotonic, align 4
  store i32 %4, ptr %3, align 4
  %5 = load i32, ptr %3, align 4
  %6 = icmp eq i32 %5, 1
  br i1 %6, label %7, label %9

7:                                                ; preds = %0
  fence syncscope("agent") acquire, !mmra !7
  %8 = load i32, ptr addrspace(1) @data, align 4
  store i32 %8, ptr addrspace(5) %1, align 4
  br label %9

9:                                                ; preds = %7, %0
  %10 = load i32, ptr addrspace(5) %1, align 4
  store i32 %10, ptr addrspace(1) @seen, align 4
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
!7 = !{!"amdgpu-synchronize-as", !"global"}
