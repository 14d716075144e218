; Decoupled look-back: a prefix is published with a flag, and awaited by the next block (rocPRIM): nothing acquires behind the wait
; INSPECT: flag-hands-over-less
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @scan(ptr addrspace(1) %prefix, ptr addrspace(1) %flags, ptr addrspace(1) %out) #0 {
entry:
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %p = getelementptr i32, ptr addrspace(1) %prefix, i32 %group
  %f = getelementptr i32, ptr addrspace(1) %flags, i32 %group
  %alone = icmp eq i32 %group, 0
  br i1 %alone, label %publish, label %spin

spin:
  %before = getelementptr i32, ptr addrspace(1) %f, i32 -1
  %s = load atomic i32, ptr addrspace(1) %before syncscope("agent") monotonic, align 4
  %ready = icmp eq i32 %s, 2
  br i1 %ready, label %read, label %pause

pause:
  call void @llvm.amdgcn.s.sleep(i32 1)
  br label %spin

read:
  %q = getelementptr i32, ptr addrspace(1) %p, i32 -1
  %x = load i32, ptr addrspace(1) %q, align 4
  br label %publish

publish:
  %sum = phi i32 [ 0, %entry ], [ %x, %read ]
  %mine = add i32 %sum, 1
  store i32 %mine, ptr addrspace(1) %p, align 4
  fence syncscope("agent") release, !mmra !1
  store atomic i32 2, ptr addrspace(1) %f syncscope("agent") monotonic, align 4
  ret void
}

declare void @llvm.amdgcn.s.sleep(i32 immarg)
declare i32 @llvm.amdgcn.workgroup.id.x()

attributes #0 = { "amdgpu-flat-work-group-size"="256,256" "target-cpu"="gfx950" }

!1 = !{!"amdgpu-synchronize-as", !"global"}
