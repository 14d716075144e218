; Vulkan table, note on composite operations: MakeAvailable only if the operation results in a store
; REF: AMDGPU Memory Model, The Vulkan Memory Model
; REF: SPIR-V specification, Memory Operands and Memory Semantics
; The comparison fails.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ t1:%data = undef
; EXPECT: llvm=Never amdgpu=Sometimes+race

@data = addrspace(1) global i32 0
@mark = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  %old.pair = cmpxchg ptr addrspace(1) @mark, i32 5, i32 6 syncscope("agent") acq_rel acquire, align 4
  %old = extractvalue { i32, i1 } %old.pair, 0
  fence syncscope("agent") release, !mmra !{!"amdgcn-av", !"none"}
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") monotonic, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") monotonic, align 4
  fence syncscope("agent") acquire
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(1) @data
  br label %done

done:
  ret void
}
