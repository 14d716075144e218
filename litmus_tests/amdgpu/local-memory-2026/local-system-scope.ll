; Local memory: an atomic store of system scope is available in the workgroup, and no further
; REF: AMDGPU Memory Model, addrspace(3); https://github.com/llvm/llvm-project/pull/212707
; The scope for atomicity is not the scope for availability. No hardware shares local memory between these
; workgroups.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ t1:%data = undef
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Sometimes+race

@data = addrspace(3) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store atomic i32 1, ptr addrspace(3) @data monotonic, align 4
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4, !mmra !{!"amdgcn-av", !"none"}
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(3) @data
  br label %done

done:
  ret void
}
