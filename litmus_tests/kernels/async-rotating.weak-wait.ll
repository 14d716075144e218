; Buffers that are exchanged by phis, in a loop of unknown length (Triton): the wait leaves the tile that is read next
; INSPECT: async-in-flight
target triple = "amdgcn-amd-amdhsa"

@smem = internal addrspace(3) global [2048 x i32] poison, align 16

define amdgpu_kernel void @rotate(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %count) #0 {
entry:
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %high = getelementptr i8, ptr addrspace(3) @smem, i32 4096
  call void @llvm.amdgcn.load.async.to.lds.p1(ptr addrspace(1) %from, ptr addrspace(3) @smem, i32 4, i32 0, i32 0)
  call void @llvm.amdgcn.asyncmark()
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %now = phi ptr addrspace(3) [ @smem, %entry ], [ %then, %loop ]
  %then = phi ptr addrspace(3) [ %high, %entry ], [ %now, %loop ]
  %acc = phi i32 [ 0, %entry ], [ %sum, %loop ]
  %n = add nuw nsw i32 %i, 1
  %g = getelementptr i32, ptr addrspace(1) %from, i32 %n
  call void @llvm.amdgcn.load.async.to.lds.p1(ptr addrspace(1) %g, ptr addrspace(3) %then, i32 4, i32 0, i32 0)
  call void @llvm.amdgcn.asyncmark()
  call void @llvm.amdgcn.wait.asyncmark(i16 2)
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !0
  %swapped = xor i32 %t, 1
  %q = getelementptr i32, ptr addrspace(3) %now, i32 %swapped
  %x = load i32, ptr addrspace(3) %q, align 4
  %sum = add i32 %acc, %x
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !0
  %more = icmp ult i32 %n, %count
  br i1 %more, label %loop, label %done

done:
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %sum, ptr addrspace(1) %to, align 4
  call void @llvm.amdgcn.wait.asyncmark(i16 0)
  ret void
}

declare void @llvm.amdgcn.asyncmark()
declare void @llvm.amdgcn.load.async.to.lds.p1(ptr addrspace(1) readonly captures(none), ptr addrspace(3) writeonly captures(none), i32 immarg, i32 immarg, i32 immarg)
declare void @llvm.amdgcn.s.barrier()
declare void @llvm.amdgcn.wait.asyncmark(i16 immarg)
declare i32 @llvm.amdgcn.workitem.id.x()

attributes #0 = { "amdgpu-flat-work-group-size"="64,64" "target-cpu"="gfx950" }

!0 = !{!"amdgpu-synchronize-as", !"local"}
