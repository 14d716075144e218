; Location order: a newer write of the same thread is not made available
; REF: AMDGPU Memory Model, Location Order
; Both writes happen before the load; the first is visible. The second hides nothing, and may be seen.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 2 /\ t1:%data = undef
; EXPECT: llvm=Never amdgpu=Sometimes+race amdgpu-2026=Sometimes+race

@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4
  store i32 2, ptr addrspace(1) @data
  store atomic i32 2, ptr addrspace(1) @flag syncscope("agent") release, align 4, !mmra !{!"amdgcn-av", !"none"}
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4
  %set = icmp eq i32 %flag, 2
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(1) @data
  br label %done

done:
  ret void
}
