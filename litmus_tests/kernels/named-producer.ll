; Waves that produce a tile meet those that consume it at a named barrier (gfx1250)
; INSPECT: none
target triple = "amdgcn-amd-amdhsa"

@tile = internal addrspace(3) global [128 x i32] poison, align 16
@full = internal addrspace(3) global target("amdgcn.named.barrier", 0) poison

define amdgpu_kernel void @pipe(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {
entry:
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  call void @llvm.amdgcn.s.barrier.init(ptr addrspace(3) @full, i32 4)
  call void @llvm.amdgcn.s.barrier()
  %lane = and i32 %t, 127
  %l = getelementptr i32, ptr addrspace(3) @tile, i32 %lane
  %produces = icmp ult i32 %t, 128
  br i1 %produces, label %producer, label %consumer

producer:
  %g = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %x = load i32, ptr addrspace(1) %g, align 4
  store i32 %x, ptr addrspace(3) %l, align 4
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3) @full, i32 4)
  br label %end

consumer:
  call void @llvm.amdgcn.s.barrier.join(ptr addrspace(3) @full)
  call void @llvm.amdgcn.s.barrier.wait(i16 1)
  fence syncscope("workgroup") acquire, !mmra !0
  %other = xor i32 %lane, 64
  %q = getelementptr i32, ptr addrspace(3) @tile, i32 %other
  %y = load i32, ptr addrspace(3) %q, align 4
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %y, ptr addrspace(1) %to, align 4
  br label %end

end:
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.s.barrier()
declare void @llvm.amdgcn.s.barrier.init(ptr addrspace(3), i32)
declare void @llvm.amdgcn.s.barrier.join(ptr addrspace(3))
declare void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3), i32)
declare void @llvm.amdgcn.s.barrier.wait(i16)

attributes #0 = { "amdgpu-flat-work-group-size"="256,256" "target-cpu"="gfx1250" }

!0 = !{!"amdgpu-synchronize-as", !"local"}
