; Three buffers, two tiles on their way (Triton with num_stages = 3): no mark in the loop: the wait counts those of the beginning
; INSPECT: async-in-flight
target triple = "amdgcn-amd-amdhsa"

@smem = internal addrspace(3) global [3 x [1024 x i32]] poison, align 16

define amdgpu_kernel void @pipeline(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {
entry:
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %wave = lshr i32 %t, 6
  %first = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %wave)
  %from = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %t
  %b0 = getelementptr [64 x <4 x i32>], ptr addrspace(3) @smem, i32 %first
  %b1 = getelementptr i8, ptr addrspace(3) %b0, i32 4096
  call void @llvm.amdgcn.load.async.to.lds.p1(ptr addrspace(1) %from, ptr addrspace(3) %b0, i32 16, i32 0, i32 0)
  call void @llvm.amdgcn.asyncmark()
  call void @llvm.amdgcn.load.async.to.lds.p1(ptr addrspace(1) %from, ptr addrspace(3) %b1, i32 16, i32 0, i32 0)
  call void @llvm.amdgcn.asyncmark()
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %acc = phi i32 [ 0, %entry ], [ %sum, %loop ]
  %n = add nuw nsw i32 %i, 1
  %ahead = add nuw nsw i32 %i, 2
  %now = urem i32 %i, 3
  %then = urem i32 %ahead, 3
  %g = getelementptr <4 x i32>, ptr addrspace(1) %from, i32 %ahead
  %third = getelementptr [3 x [1024 x i32]], ptr addrspace(3) @smem, i32 0, i32 %then
  %b = getelementptr [64 x <4 x i32>], ptr addrspace(3) %third, i32 %first
  call void @llvm.amdgcn.load.async.to.lds.p1(ptr addrspace(1) %g, ptr addrspace(3) %b, i32 16, i32 0, i32 0)
  call void @llvm.amdgcn.wait.asyncmark(i16 2)
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !0
  %mine = getelementptr [3 x [1024 x i32]], ptr addrspace(3) @smem, i32 0, i32 %now
  %other = xor i32 %t, 64
  %q = getelementptr i32, ptr addrspace(3) %mine, i32 %other
  %x = load i32, ptr addrspace(3) %q, align 4
  %sum = add i32 %acc, %x
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !0
  %more = icmp ult i32 %n, 12
  br i1 %more, label %loop, label %done

done:
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %sum, ptr addrspace(1) %to, align 4
  call void @llvm.amdgcn.wait.asyncmark(i16 0)
  ret void
}

declare void @llvm.amdgcn.asyncmark()
declare void @llvm.amdgcn.load.async.to.lds.p1(ptr addrspace(1) readonly captures(none), ptr addrspace(3) writeonly captures(none), i32 immarg, i32 immarg, i32 immarg)
declare i32 @llvm.amdgcn.readfirstlane.i32(i32)
declare void @llvm.amdgcn.s.barrier()
declare void @llvm.amdgcn.wait.asyncmark(i16 immarg)
declare i32 @llvm.amdgcn.workitem.id.x()

attributes #0 = { "amdgpu-flat-work-group-size"="256,256" "target-cpu"="gfx950" }

!0 = !{!"amdgpu-synchronize-as", !"local"}
