; A try-lock by compare-exchange, acquire and release at device scope: right, at -O2
; REF: clang __builtin_amdgcn_fence; LLVM AMDGPUUsage, amdgpu-synchronize-as
; Who gets the lock sees the count that the previous holder left.
; THREADS: a=@increment() b=@increment()
; SCOPES: (agent (workgroup a) (workgroup b))
; PROFILE: amdgpu
; NEVER: ~(@count = 1 \/ @count = 2)
; EXPECT: amdgpu=Never llvm=Never amdgpu-2026=Never
;
; clang -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -nogpulib -O2 -S -emit-llvm, of
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
@count = hidden local_unnamed_addr addrspace(1) global i32 0, align 4

; Function Attrs: mustprogress nofree norecurse nounwind willreturn memory(readwrite, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define protected amdgpu_kernel void @increment() local_unnamed_addr #0 !kernel_arg_addr_space !9 !kernel_arg_access_qual !9 !kernel_arg_type !9 !kernel_arg_base_type !9 !kernel_arg_type_qual !9 {
  %1 = cmpxchg ptr addrspace(1) @lock, i32 0, i32 1 syncscope("agent-one-as") acquire monotonic, align 4
  %2 = extractvalue { i32, i1 } %1, 1
  br i1 %2, label %3, label %6

3:                                                ; preds = %0
  %4 = load i32, ptr addrspace(1) @count, align 4, !tbaa !5
  %5 = add nsw i32 %4, 1
  store i32 %5, ptr addrspace(1) @count, align 4, !tbaa !5
  store atomic i32 0, ptr addrspace(1) @lock syncscope("agent-one-as") release, align 4
  br label %6

6:                                                ; preds = %0, %3
  ret void
}

; Function Attrs: alwaysinline mustprogress nofree norecurse nounwind willreturn memory(readwrite, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define protected void @__clang_ocl_kern_imp_increment() local_unnamed_addr #1 !kernel_arg_addr_space !9 !kernel_arg_access_qual !9 !kernel_arg_type !9 !kernel_arg_base_type !9 !kernel_arg_type_qual !9 {
  %1 = cmpxchg ptr addrspace(1) @lock, i32 0, i32 1 syncscope("agent-one-as") acquire monotonic, align 4
  %2 = extractvalue { i32, i1 } %1, 1
  br i1 %2, label %3, label %6

3:                                                ; preds = %0
  %4 = load i32, ptr addrspace(1) @count, align 4, !tbaa !5
  %5 = add nsw i32 %4, 1
  store i32 %5, ptr addrspace(1) @count, align 4, !tbaa !5
  store atomic i32 0, ptr addrspace(1) @lock syncscope("agent-one-as") release, align 4
  br label %6

6:                                                ; preds = %3, %0
  ret void
}

attributes #0 = { mustprogress nofree norecurse nounwind willreturn memory(readwrite, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none) "amdgpu-flat-work-group-size"="1,256" "amdgpu-no-cluster-id-x" "amdgpu-no-cluster-id-y" "amdgpu-no-cluster-id-z" "amdgpu-no-completion-action" "amdgpu-no-default-queue" "amdgpu-no-dispatch-id" "amdgpu-no-dispatch-ptr" "amdgpu-no-flat-scratch-init" "amdgpu-no-heap-ptr" "amdgpu-no-hostcall-ptr" "amdgpu-no-implicitarg-ptr" "amdgpu-no-lds-kernel-id" "amdgpu-no-multigrid-sync-arg" "amdgpu-no-queue-ptr" "amdgpu-no-workgroup-id-x" "amdgpu-no-workgroup-id-y" "amdgpu-no-workgroup-id-z" "amdgpu-no-workitem-id-x" "amdgpu-no-workitem-id-y" "amdgpu-no-workitem-id-z" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "uniform-work-group-size"="false" }
attributes #1 = { alwaysinline mustprogress nofree norecurse nounwind willreturn memory(readwrite, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none) "amdgpu-flat-work-group-size"="1,256" "amdgpu-no-cluster-id-x" "amdgpu-no-cluster-id-y" "amdgpu-no-cluster-id-z" "amdgpu-no-completion-action" "amdgpu-no-default-queue" "amdgpu-no-dispatch-id" "amdgpu-no-dispatch-ptr" "amdgpu-no-flat-scratch-init" "amdgpu-no-heap-ptr" "amdgpu-no-hostcall-ptr" "amdgpu-no-implicitarg-ptr" "amdgpu-no-lds-kernel-id" "amdgpu-no-multigrid-sync-arg" "amdgpu-no-queue-ptr" "amdgpu-no-workgroup-id-x" "amdgpu-no-workgroup-id-y" "amdgpu-no-workgroup-id-z" "amdgpu-no-workitem-id-x" "amdgpu-no-workitem-id-y" "amdgpu-no-workitem-id-z" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "uniform-work-group-size"="false" }

!llvm.module.flags = !{!0, !1, !2}
!opencl.ocl.version = !{!3}
!llvm.ident = !{!4}
!llvm.errno.tbaa = !{!5}

!0 = !{i32 1, !"amdhsa_code_object_version", i32 600}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 8, !"PIC Level", i32 2}
!3 = !{i32 2, i32 0}
!4 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!5 = !{!6, !6, i64 0}
!6 = !{!"int", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C/C++ TBAA"}
!9 = !{}
