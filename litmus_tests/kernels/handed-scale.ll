; A wave hands over a tile in LDS and its scale in global memory, by one flag (IREE, data tiling)
; INSPECT: none
target triple = "amdgcn-amd-amdhsa"

@tile = internal addrspace(3) global [64 x i32] poison, align 16
@full = internal addrspace(3) global i32 poison, align 4

define amdgpu_kernel void @pipe(ptr addrspace(1) %in, ptr addrspace(1) %scale, ptr addrspace(1) %out) #0 {
entry:
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %clear, label %start

clear:
  store atomic i32 0, ptr addrspace(3) @full syncscope("workgroup") monotonic, align 4
  br label %start

start:
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !0
  %lane = and i32 %t, 63
  %produces = icmp ult i32 %t, 64
  br i1 %produces, label %producer, label %consumer

producer:
  %l = getelementptr i32, ptr addrspace(3) @tile, i32 %lane
  %g = getelementptr i32, ptr addrspace(1) %in, i32 %lane
  %x = load i32, ptr addrspace(1) %g, align 4
  store i32 %x, ptr addrspace(3) %l, align 4
  br i1 %first, label %weigh, label %raise

weigh:
  store i32 %x, ptr addrspace(1) %scale, align 4
  br label %raise

raise:
  fence syncscope("workgroup") release, !mmra !2
  %n = atomicrmw add ptr addrspace(3) @full, i32 1 syncscope("workgroup") monotonic, align 4
  br label %end

consumer:
  %s = load atomic i32, ptr addrspace(3) @full syncscope("workgroup") monotonic, align 4
  %ready = icmp eq i32 %s, 64
  br i1 %ready, label %read, label %consumer

read:
  fence syncscope("workgroup") acquire, !mmra !2
  %other = sub i32 63, %lane
  %q = getelementptr i32, ptr addrspace(3) @tile, i32 %other
  %y = load i32, ptr addrspace(3) %q, align 4
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  %z = load i32, ptr addrspace(1) %scale, align 4
  %scaled = mul i32 %y, %z
  store i32 %scaled, ptr addrspace(1) %to, align 4
  br label %end

end:
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.s.barrier()

attributes #0 = { "amdgpu-flat-work-group-size"="128,128" "target-cpu"="gfx950" }

!0 = !{!"amdgpu-synchronize-as", !"local"}
!1 = !{!"amdgpu-synchronize-as", !"global"}
!2 = !{!0, !1}
