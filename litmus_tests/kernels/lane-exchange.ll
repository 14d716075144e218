; Lanes exchange values by a function of another module: it is convergent, and there is nothing to order (ZLUDA)
; INSPECT: none
target triple = "amdgcn-amd-amdhsa"

declare i32 @shuffle_sync(i32, i32) convergent

define amdgpu_kernel void @exchange(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %x = load i32, ptr addrspace(1) %from, align 4
  %y = call i32 @shuffle_sync(i32 %x, i32 1) convergent
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %y, ptr addrspace(1) %to, align 4
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()

attributes #0 = { "amdgpu-flat-work-group-size"="256,256" "target-cpu"="gfx950" }
