; Location order: two atomic writes are settled by modification order
; REF: AMDGPU Memory Model, Location Order
; Not available in each other's scope by any release, but atomic with inclusive scopes, and happens-before orders
; them.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ ~(@data = 2)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store atomic i32 1, ptr addrspace(1) @data syncscope("agent") monotonic, align 4
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4, !mmra !{!"amdgcn-av", !"none"}
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4, !mmra !{!"amdgcn-av", !"none"}
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %write, label %done

write:
  store atomic i32 2, ptr addrspace(1) @data syncscope("agent") monotonic, align 4
  br label %done

done:
  ret void
}
