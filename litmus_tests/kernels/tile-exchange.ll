; A tile goes through LDS and is read transposed (Triton)
; INSPECT: none
target triple = "amdgcn-amd-amdhsa"

@smem = internal addrspace(3) global [256 x float] poison, align 16

define amdgpu_kernel void @exchange(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %from = getelementptr float, ptr addrspace(1) %in, i32 %t
  %x = load float, ptr addrspace(1) %from, align 4
  %p = getelementptr float, ptr addrspace(3) @smem, i32 %t
  store float %x, ptr addrspace(3) %p, align 4
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !0
  %row = and i32 %t, 15
  %line = lshr i32 %t, 4
  %scaled = shl i32 %row, 4
  %at = or disjoint i32 %scaled, %line
  %q = getelementptr float, ptr addrspace(3) @smem, i32 %at
  %y = load float, ptr addrspace(3) %q, align 4
  %to = getelementptr float, ptr addrspace(1) %out, i32 %t
  store float %y, ptr addrspace(1) %to, align 4
  ret void
}

declare void @llvm.amdgcn.s.barrier()
declare i32 @llvm.amdgcn.workitem.id.x()

attributes #0 = { "amdgpu-flat-work-group-size"="256,256" "target-cpu"="gfx950" }

!0 = !{!"amdgpu-synchronize-as", !"local"}
