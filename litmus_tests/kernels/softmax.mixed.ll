; Two reductions through LDS in objects of their own, three barriers (Triton): the first barrier releases LDS and acquires global memory
; INSPECT: local-memory-unordered unpaired-fence
target triple = "amdgcn-amd-amdhsa"

@most = internal addrspace(3) global [4 x float] poison, align 16
@sums = internal addrspace(3) global [4 x float] poison, align 16

define amdgpu_kernel void @softmax(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %wave = lshr i32 %t, 6
  %from = getelementptr float, ptr addrspace(1) %in, i32 %t
  %x = load float, ptr addrspace(1) %from, align 4
  %pm = getelementptr float, ptr addrspace(3) @most, i32 %wave
  store float %x, ptr addrspace(3) %pm, align 4
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !1
  %m = load <4 x float>, ptr addrspace(3) @most, align 16
  %m0 = extractelement <4 x float> %m, i32 0
  %e = fsub float %x, %m0
  %ps = getelementptr float, ptr addrspace(3) @sums, i32 %wave
  store float %e, ptr addrspace(3) %ps, align 4
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !0
  %s = load <4 x float>, ptr addrspace(3) @sums, align 16
  %s0 = extractelement <4 x float> %s, i32 0
  %y = fdiv float %e, %s0
  %to = getelementptr float, ptr addrspace(1) %out, i32 %t
  store float %y, ptr addrspace(1) %to, align 4
  ret void
}

declare void @llvm.amdgcn.s.barrier()
declare i32 @llvm.amdgcn.workitem.id.x()

attributes #0 = { "amdgpu-flat-work-group-size"="256,256" "target-cpu"="gfx950" }

!0 = !{!"amdgpu-synchronize-as", !"local"}
!1 = !{!"amdgpu-synchronize-as", !"global"}
