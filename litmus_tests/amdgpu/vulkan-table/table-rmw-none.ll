; Vulkan table, note on composite operations: an acq_rel atomicrmw that is amdgcn-av:none
; REF: AMDGPU Memory Model, The Vulkan Memory Model
; REF: SPIR-V specification, Memory Operands and Memory Semantics
; The first thread's data comes through by its own release; the data of the atomicrmw's thread does not.
; SCOPES: (agent (workgroup t0) (workgroup t1) (workgroup t2))
; EXISTS: t1:%old = 1 /\ t2:%flag = 2 /\ t2:%data = 1 /\ t2:%other = undef
; EXPECT: llvm=Never amdgpu=Sometimes+race

@data = addrspace(1) global i32 0
@other = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4
  ret void
}

define void @t1() {
  store i32 1, ptr addrspace(1) @other
  %old = atomicrmw add ptr addrspace(1) @flag, i32 1 syncscope("agent") acq_rel, align 4, !mmra !{!"amdgcn-av", !"none"}
  ret void
}

define void @t2() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4
  %set = icmp eq i32 %flag, 2
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(1) @data
  %other = load i32, ptr addrspace(1) @other
  br label %done

done:
  ret void
}
