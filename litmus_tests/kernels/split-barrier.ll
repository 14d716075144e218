; A barrier in two halves, with work on registers between (Triton, gfx12)
; INSPECT: none
target triple = "amdgcn-amd-amdhsa"

@smem = internal addrspace(3) global [256 x float] poison, align 16

define amdgpu_kernel void @halves(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %from = getelementptr float, ptr addrspace(1) %in, i32 %t
  %x = load float, ptr addrspace(1) %from, align 4
  %p = getelementptr float, ptr addrspace(3) @smem, i32 %t
  store float %x, ptr addrspace(3) %p, align 4
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  %far = getelementptr float, ptr addrspace(1) %from, i32 256
  %z = load float, ptr addrspace(1) %far, align 4
  call void @llvm.amdgcn.s.barrier.wait(i16 -1)
  fence syncscope("workgroup") acquire, !mmra !0
  %swapped = xor i32 %t, 255
  %q = getelementptr float, ptr addrspace(3) @smem, i32 %swapped
  %y = load float, ptr addrspace(3) %q, align 4
  %s = fadd float %y, %z
  %to = getelementptr float, ptr addrspace(1) %out, i32 %t
  store float %s, ptr addrspace(1) %to, align 4
  ret void
}

declare void @llvm.amdgcn.s.barrier.signal(i32 immarg)
declare void @llvm.amdgcn.s.barrier.wait(i16 immarg)
declare i32 @llvm.amdgcn.workitem.id.x()

attributes #0 = { "amdgpu-flat-work-group-size"="256,256" "target-cpu"="gfx1200" }

!0 = !{!"amdgpu-synchronize-as", !"local"}
