; Private memory: a value that was not visible stays undef when it is spilled
; REF: LLVM AMDGPUUsage, Address Spaces
; The register and its copy in private memory are the same.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ t1:%reload = undef
; EXPECT: llvm=Never amdgpu=Sometimes+race

@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4, !mmra !{!"amdgcn-av", !"none"}
  ret void
}

define void @t1() {
  %slot = alloca i32, addrspace(5)
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(1) @data
  store i32 %data, ptr addrspace(5) %slot
  %reload = load i32, ptr addrspace(5) %slot
  br label %done

done:
  ret void
}
