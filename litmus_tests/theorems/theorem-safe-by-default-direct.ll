; Safe by default, and its limit: in the reading direct, visibility takes one step of program order more than happens-before
; REF: AMDGPU Memory Model, Location Order; LLVM MMRA document, The happens-before Relation
; The fences synchronize, but neither the acquire fence (for global memory) nor any one step orders the load of local
; memory after the store. The acquire load in between has no tags: the store is visible there, and program order from
; there to the load is in happens-before. Under direct llvm has a race, and amdgpu reads 1.
; SCOPES: (agent (workgroup t0 t1))
; PROFILE: amdgpu
; EXISTS: t1:%f = 1 /\ t1:%v = undef
; EXPECT: llvm=Never+race amdgpu=Never+race
; EXPECT: llvm/direct=Sometimes+race amdgpu/direct=Never+race

@l = addrspace(3) global i32 0
@f = addrspace(1) global i32 0
@g = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(3) @l
  fence syncscope("workgroup") release, !mmra !{!"amdgpu-synchronize-as", !"local"}
  store atomic i32 1, ptr addrspace(1) @f syncscope("workgroup") monotonic, align 4
  ret void
}

define void @t1() {
  %f = load atomic i32, ptr addrspace(1) @f syncscope("workgroup") monotonic, align 4
  %seen = icmp eq i32 %f, 1
  fence syncscope("workgroup") acquire, !mmra !{!"amdgpu-synchronize-as", !"global"}
  %g = load atomic i32, ptr addrspace(1) @g syncscope("workgroup") acquire, align 4
  %v = load i32, ptr addrspace(3) @l
  ret void
}
