; A buffer of LDS is filled and read anew each round, two barriers a round (IREE, MLIR): the one at the end of the round is missing
; INSPECT: local-memory-race
target triple = "amdgcn-amd-amdhsa"

@tile = internal addrspace(3) global [256 x i32] poison, align 16

define amdgpu_kernel void @stencil(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) #0 {
entry:
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %l = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  %left = xor i32 %t, 64
  %q = getelementptr i32, ptr addrspace(3) @tile, i32 %left
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %row = shl i32 %i, 8
  %at = add i32 %row, %t
  %g = getelementptr i32, ptr addrspace(1) %in, i32 %at
  %x = load i32, ptr addrspace(1) %g, align 4
  store i32 %x, ptr addrspace(3) %l, align 4
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !0
  %y = load i32, ptr addrspace(3) %q, align 4
  %more = add i32 %sum, %y
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end

end:
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %more, ptr addrspace(1) %to, align 4
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.s.barrier()

attributes #0 = { "amdgpu-flat-work-group-size"="256,256" "target-cpu"="gfx942" }

!0 = !{!"amdgpu-synchronize-as", !"local"}
