; Visibility: the scopes need not be the same, only include each other
; REF: AMDGPU Memory Model, Visibility Operation
; REF: AMDGPU Memory Model, Scopes
; Release of the system and acquire of the workgroup, in one workgroup: the common scope is the workgroup.
; SCOPES: (agent (workgroup t0 t1))
; EXISTS: t1:%flag = 1 /\ ~(t1:%data = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never amdgpu-2026/dma-cluster=Never

@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  fence release
  store atomic i32 1, ptr addrspace(1) @flag syncscope("workgroup") monotonic, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("workgroup") monotonic, align 4
  fence syncscope("workgroup") acquire
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(1) @data
  br label %done

done:
  ret void
}
