; One address space: an access of the flag's space in between is a step, except in the reading direct
; REF: LLVM AMDGPUUsage, AMDHSA LLVM Sync Scopes
; From the local store to the global one, and from there to the release: in the reading closure both steps count.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; EXISTS: t1:%flag = 1 /\ t1:%data = undef
; EXPECT: llvm=Never llvm/direct=Sometimes+race
; EXPECT: amdgpu=Never amdgpu/direct=Sometimes+race

@data = addrspace(3) global i32 0
@flag = addrspace(1) global i32 0
@other = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(3) @data
  store atomic i32 1, ptr addrspace(1) @other syncscope("workgroup") monotonic, align 4
  store atomic i32 1, ptr addrspace(1) @flag syncscope("workgroup-one-as") release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("workgroup") acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(3) @data
  br label %done

done:
  ret void
}
