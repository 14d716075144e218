; Ids: workgroup 0 produces, workgroup 1 consumes
; REF: LLVM AMDGPUUsage, llvm.amdgcn.workitem.id.x and llvm.amdgcn.workgroup.id.x
; One kernel, two roles, release and acquire of agent scope.
; THREADS: a=@kernel() b=@kernel()
; SCOPES: (agent (workgroup a) (workgroup b))
; EXISTS: b:%flag = 1 /\ ~(b:%data = 1)
; EXPECT: llvm=Never amdgpu=Never

@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @kernel() {
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %produces = icmp eq i32 %group, 0
  br i1 %produces, label %producer, label %consumer

producer:
  store i32 1, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4
  br label %end

consumer:
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(1) @data
  br label %done

done:
  br label %end

end:
  ret void
}

declare i32 @llvm.amdgcn.workgroup.id.x()
