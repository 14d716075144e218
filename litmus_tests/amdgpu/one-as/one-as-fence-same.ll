; One address space: fences count as the plain scope, which is reported
; REF: LLVM AMDGPUUsage, AMDHSA LLVM Sync Scopes
; A fence has no address space of its own: the local data is ordered through the global flag.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; EXISTS: t1:%flag = 1 /\ ~(t1:%data = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@data = addrspace(3) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(3) @data
  fence syncscope("workgroup-one-as") release
  store atomic i32 1, ptr addrspace(1) @flag syncscope("workgroup") monotonic, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("workgroup") monotonic, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  fence syncscope("workgroup-one-as") acquire
  %data = load i32, ptr addrspace(3) @data
  br label %done

done:
  ret void
}
