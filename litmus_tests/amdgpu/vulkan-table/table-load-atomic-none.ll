; Vulkan table, row load atomic amdgcn-av:none: OpAtomicLoad with MakePointerVisible
; REF: AMDGPU Memory Model, The Vulkan Memory Model
; REF: SPIR-V specification, Memory Operands and Memory Semantics
; Its own read keeps its visibility.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ ~(t1:%data = 1)
; EXPECT: llvm=Never amdgpu=Never

@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  fence syncscope("agent") release
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") monotonic, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") monotonic, align 4
  fence syncscope("agent") acquire, !mmra !{!"amdgcn-av", !"none"}
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load atomic i32, ptr addrspace(1) @data syncscope("agent") acquire, align 4, !mmra !{!"amdgcn-av", !"none"}
  br label %done

done:
  ret void
}
