; One address space: only the acquire is limited
; REF: LLVM AMDGPUUsage, AMDHSA LLVM Sync Scopes
; The load is not ordered after it.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; EXISTS: t1:%flag = 1 /\ t1:%data = undef
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race amdgpu-2026=Sometimes+race

@data = addrspace(3) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(3) @data
  store atomic i32 1, ptr addrspace(1) @flag syncscope("workgroup") release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("workgroup-one-as") acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(3) @data
  br label %done

done:
  ret void
}
