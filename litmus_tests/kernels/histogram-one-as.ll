; Counts in LDS by atomics of scope workgroup-one-as, added to global memory at the end (clang)
; INSPECT: none
target triple = "amdgcn-amd-amdhsa"

@bins = internal addrspace(3) global [256 x i32] poison, align 16

define amdgpu_kernel void @histogram(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %bin = getelementptr i32, ptr addrspace(3) @bins, i32 %t
  store i32 0, ptr addrspace(3) %bin, align 4
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !0
  %from = getelementptr i8, ptr addrspace(1) %in, i32 %t
  %byte = load i8, ptr addrspace(1) %from, align 1
  %wide = zext i8 %byte to i32
  %hit = getelementptr i32, ptr addrspace(3) @bins, i32 %wide
  %old = atomicrmw add ptr addrspace(3) %hit, i32 1 syncscope("workgroup-one-as") monotonic
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !0
  %n = load i32, ptr addrspace(3) %bin, align 4
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %t
  %was = atomicrmw add ptr addrspace(1) %to, i32 %n syncscope("agent-one-as") monotonic
  ret void
}

declare void @llvm.amdgcn.s.barrier()
declare i32 @llvm.amdgcn.workitem.id.x()

attributes #0 = { "amdgpu-flat-work-group-size"="256,256" "target-cpu"="gfx950" }

!0 = !{!"amdgpu-synchronize-as", !"local"}
