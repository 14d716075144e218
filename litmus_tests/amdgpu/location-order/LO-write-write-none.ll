; Location order: two writes in happens-before without availability are not ordered
; REF: AMDGPU Memory Model, Location Order
; Either of them may reach memory last: the final value is undef.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ @data = undef
; EXPECT: llvm=Never amdgpu=Sometimes+race amdgpu-2026=Sometimes+race

@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4, !mmra !{!"amdgcn-av", !"none"}
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %write, label %done

write:
  store i32 2, ptr addrspace(1) @data
  br label %done

done:
  ret void
}
