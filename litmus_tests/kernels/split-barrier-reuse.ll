; A buffer is read, and used again behind a barrier in two halves (CK, gfx12)
; INSPECT: none
target triple = "amdgcn-amd-amdhsa"

@smem = internal addrspace(3) global [512 x i32] poison, align 16

define amdgpu_kernel void @reuse(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(3) @smem, i32 %t
  %swapped = xor i32 %t, 255
  %q = getelementptr i32, ptr addrspace(3) @smem, i32 %swapped
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %x0 = load i32, ptr addrspace(1) %from, align 4
  store i32 %x0, ptr addrspace(3) %p, align 4
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !0
  %y0 = load i32, ptr addrspace(3) %q, align 4
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  %next = getelementptr i32, ptr addrspace(1) %from, i32 256
  %x1 = load i32, ptr addrspace(1) %next, align 4
  call void @llvm.amdgcn.s.barrier.wait(i16 -1)
  fence syncscope("workgroup") acquire, !mmra !0
  store i32 %x1, ptr addrspace(3) %p, align 4
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !0
  %y1 = load i32, ptr addrspace(3) %q, align 4
  %s = add i32 %y0, %y1
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %s, ptr addrspace(1) %to, align 4
  ret void
}

declare void @llvm.amdgcn.s.barrier()
declare void @llvm.amdgcn.s.barrier.signal(i32 immarg)
declare void @llvm.amdgcn.s.barrier.wait(i16 immarg)
declare i32 @llvm.amdgcn.workitem.id.x()

attributes #0 = { "amdgpu-flat-work-group-size"="256,256" "target-cpu"="gfx1200" }

!0 = !{!"amdgpu-synchronize-as", !"local"}
