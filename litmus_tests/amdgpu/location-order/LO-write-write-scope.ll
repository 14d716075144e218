; Location order: the second write must be in the scope instance in which the first is available
; REF: AMDGPU Memory Model, Location Order
; The first write is available in its workgroup, and the second thread is in another.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ @data = undef
; EXPECT: llvm=Never amdgpu=Sometimes+race amdgpu-2026=Sometimes+race

@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  fence syncscope("workgroup") release
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4, !mmra !{!"amdgcn-av", !"none"}
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4, !mmra !{!"amdgcn-av", !"none"}
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %write, label %done

write:
  store i32 2, ptr addrspace(1) @data
  br label %done

done:
  ret void
}
