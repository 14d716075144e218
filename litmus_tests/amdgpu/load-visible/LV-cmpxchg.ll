; load-visible: the read of a cmpxchg that succeeds
; REF: AMDGPU Memory Model, load-visible
; It compares what it finds with 1.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ ~(t1:%data = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4, !mmra !{!"amdgcn-av", !"none"}
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data.pair = cmpxchg ptr addrspace(1) @data, i32 1, i32 2 syncscope("agent") monotonic monotonic, align 4
  %data = extractvalue { i32, i1 } %data.pair, 0
  br label %done

done:
  ret void
}
