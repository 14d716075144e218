; Each workgroup adds its part; the last one to come adds the parts (clang, rocPRIM): the barrier is without fences
; INSPECT: local-memory-unordered
target triple = "amdgcn-amd-amdhsa"

@last = internal addrspace(3) global i32 poison, align 4

define amdgpu_kernel void @reduce(ptr addrspace(1) %parts, ptr addrspace(1) %count, ptr addrspace(1) %out, i32 %groups) #0 {
entry:
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %leader, label %meet

leader:
  %p = getelementptr float, ptr addrspace(1) %parts, i32 %group
  store float 1.0, ptr addrspace(1) %p, align 4
  fence syncscope("agent") release
  %ticket = atomicrmw add ptr addrspace(1) %count, i32 1 syncscope("agent") monotonic
  %end = add i32 %ticket, 1
  %is = icmp eq i32 %end, %groups
  %flag = zext i1 %is to i32
  store i32 %flag, ptr addrspace(3) @last, align 4
  fence syncscope("agent") acquire
  br label %meet

meet:
  call void @llvm.amdgcn.s.barrier()
  %f = load i32, ptr addrspace(3) @last, align 4
  %go = icmp ne i32 %f, 0
  br i1 %go, label %add, label %done

add:
  %q = getelementptr float, ptr addrspace(1) %parts, i32 %t
  %x = load float, ptr addrspace(1) %q, align 4
  %to = getelementptr float, ptr addrspace(1) %out, i32 %t
  store float %x, ptr addrspace(1) %to, align 4
  br label %done

done:
  ret void
}

declare void @llvm.amdgcn.s.barrier()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workitem.id.x()

attributes #0 = { "amdgpu-flat-work-group-size"="256,256" "target-cpu"="gfx950" }
