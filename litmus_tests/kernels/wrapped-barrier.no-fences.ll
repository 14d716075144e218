; The barrier and its fences are in a function of the module (clang -O0): the function has the barrier alone
; INSPECT: local-memory-unordered
target triple = "amdgcn-amd-amdhsa"

@smem = internal addrspace(3) global [256 x i32] poison, align 16

define internal void @sync() {
  call void @llvm.amdgcn.s.barrier()
  ret void
}

define internal i32 @read(ptr addrspace(3) %p) {
  %x = load i32, ptr addrspace(3) %p, align 4
  ret i32 %x
}

define amdgpu_kernel void @wrapped(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %x = load i32, ptr addrspace(1) %from, align 4
  %p = getelementptr i32, ptr addrspace(3) @smem, i32 %t
  store i32 %x, ptr addrspace(3) %p, align 4
  call void @sync()
  %swapped = xor i32 %t, 255
  %q = getelementptr i32, ptr addrspace(3) @smem, i32 %swapped
  %y = call i32 @read(ptr addrspace(3) %q)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %y, ptr addrspace(1) %to, align 4
  ret void
}

declare void @llvm.amdgcn.s.barrier()
declare i32 @llvm.amdgcn.workitem.id.x()

attributes #0 = { "amdgpu-flat-work-group-size"="256,256" "target-cpu"="gfx950" }
