; A sum of each wave goes through LDS, addresses by the first lane's number (Triton, today's triple): the barrier before the read is missing
; INSPECT: local-memory-race
target triple = "amdgpu9.42-amd-amdhsa"

@sums = internal addrspace(3) global [4 x float] poison, align 16

define amdgpu_kernel void @total(ptr addrspace(1) %out, float %mine) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %first = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %t)
  %wave = lshr i32 %first, 6
  %own = getelementptr float, ptr addrspace(3) @sums, i32 %wave
  store float %mine, ptr addrspace(3) %own, align 4
  %part = and i32 %t, 3
  %other = getelementptr float, ptr addrspace(3) @sums, i32 %part
  %sum = load float, ptr addrspace(3) %other, align 4
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !0
  %most = call float @llvm.maxnum.f32(float %sum, float -inf)
  store float %most, ptr addrspace(3) %own, align 4
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !0
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.readfirstlane.i32(i32)
declare float @llvm.maxnum.f32(float, float)
declare void @llvm.amdgcn.s.barrier()

attributes #0 = { "amdgpu-flat-work-group-size"="1,256" }

!0 = !{!"amdgpu-synchronize-as", !"local"}
