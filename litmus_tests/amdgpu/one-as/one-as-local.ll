; One address space: data and flag in local memory
; REF: LLVM AMDGPUUsage, AMDHSA LLVM Sync Scopes
; As with the plain scope.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; EXISTS: t1:%flag = 1 /\ ~(t1:%data = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@data = addrspace(3) global i32 0
@flag = addrspace(3) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(3) @data
  store atomic i32 1, ptr addrspace(3) @flag syncscope("workgroup-one-as") release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(3) @flag syncscope("workgroup-one-as") acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(3) @data
  br label %done

done:
  ret void
}
