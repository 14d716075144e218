; Copies of gfx1250, waited for by the counter of the hardware (Triton)
; INSPECT: none
target triple = "amdgcn-amd-amdhsa"

@smem = internal addrspace(3) global [2 x [256 x <4 x i32>]] poison, align 16

define amdgpu_kernel void @counter(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %g0 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %t
  %g1 = getelementptr <4 x i32>, ptr addrspace(1) %g0, i32 256
  %l0 = getelementptr <4 x i32>, ptr addrspace(3) @smem, i32 %t
  %l1 = getelementptr <4 x i32>, ptr addrspace(3) %l0, i32 256
  call void @llvm.amdgcn.global.load.async.to.lds.b128(ptr addrspace(1) %g0, ptr addrspace(3) %l0, i32 0, i32 0)
  call void @llvm.amdgcn.global.load.async.to.lds.b128(ptr addrspace(1) %g1, ptr addrspace(3) %l1, i32 0, i32 0)
  call void @llvm.amdgcn.s.wait.asynccnt(i16 1)
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !0
  %swapped = xor i32 %t, 255
  %q0 = getelementptr <4 x i32>, ptr addrspace(3) @smem, i32 %swapped
  %x0 = load <4 x i32>, ptr addrspace(3) %q0, align 16
  call void @llvm.amdgcn.s.wait.asynccnt(i16 0)
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !0
  %q1 = getelementptr <4 x i32>, ptr addrspace(3) %q0, i32 256
  %x1 = load <4 x i32>, ptr addrspace(3) %q1, align 16
  %s = add <4 x i32> %x0, %x1
  %to = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %t
  store <4 x i32> %s, ptr addrspace(1) %to, align 16
  ret void
}

declare void @llvm.amdgcn.global.load.async.to.lds.b128(ptr addrspace(1) readonly captures(none), ptr addrspace(3) writeonly captures(none), i32 immarg, i32 immarg)
declare void @llvm.amdgcn.s.barrier()
declare void @llvm.amdgcn.s.wait.asynccnt(i16 immarg)
declare i32 @llvm.amdgcn.workitem.id.x()

attributes #0 = { "amdgpu-flat-work-group-size"="256,256" "target-cpu"="gfx1250" }

!0 = !{!"amdgpu-synchronize-as", !"local"}
