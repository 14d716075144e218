; Workgroups of a cluster exchange data through global memory (gfx1250)
; INSPECT: none
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @exchange(ptr addrspace(1) %mine, ptr addrspace(1) %theirs, ptr addrspace(1) %out) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %to = getelementptr i32, ptr addrspace(1) %mine, i32 %t
  store i32 %t, ptr addrspace(1) %to, align 4
  fence syncscope("cluster") release
  call void @llvm.amdgcn.s.cluster.barrier()
  fence syncscope("cluster") acquire
  %from = getelementptr i32, ptr addrspace(1) %theirs, i32 %t
  %x = load i32, ptr addrspace(1) %from, align 4
  %at = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %x, ptr addrspace(1) %at, align 4
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.s.cluster.barrier()

attributes #0 = { "amdgpu-flat-work-group-size"="256,256" "target-cpu"="gfx1250" }
