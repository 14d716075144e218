; A sum in LDS by halves, its result read by all (rocPRIM, clang): no acquire fence in the loop
; INSPECT: local-memory-unordered unpaired-fence
target triple = "amdgcn-amd-amdhsa"

@tile = internal addrspace(3) global [256 x i32] poison, align 16

define amdgpu_kernel void @reduce(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {
entry:
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %g = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %x = load i32, ptr addrspace(1) %g, align 4
  %l = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  store i32 %x, ptr addrspace(3) %l, align 4
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !0
  br label %loop

loop:
  %s = phi i32 [ 128, %entry ], [ %half, %join ]
  %mine = icmp ult i32 %t, %s
  br i1 %mine, label %add, label %join

add:
  %far = add i32 %t, %s
  %q = getelementptr i32, ptr addrspace(3) @tile, i32 %far
  %a = load i32, ptr addrspace(3) %l, align 4
  %b = load i32, ptr addrspace(3) %q, align 4
  %sum = add i32 %a, %b
  store i32 %sum, ptr addrspace(3) %l, align 4
  br label %join

join:
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  %half = lshr i32 %s, 1
  %done = icmp eq i32 %half, 0
  br i1 %done, label %end, label %loop

end:
  %first = load i32, ptr addrspace(3) @tile, align 4
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %first, ptr addrspace(1) %to, align 4
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.s.barrier()

attributes #0 = { "amdgpu-flat-work-group-size"="256,256" "target-cpu"="gfx942" }

!0 = !{!"amdgpu-synchronize-as", !"local"}
