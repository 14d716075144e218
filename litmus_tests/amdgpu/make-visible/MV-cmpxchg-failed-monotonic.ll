; MakeVisible: a cmpxchg that fails with a monotonic failure ordering is no acquire
; REF: AMDGPU Memory Model, MakeAvailable and MakeVisible
; The success ordering does not count: the data races under both models.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ t1:%data = undef
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race amdgpu-2026=Sometimes+race

@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4
  ret void
}

define void @t1() {
  %flag.pair = cmpxchg ptr addrspace(1) @flag, i32 5, i32 6 syncscope("agent") acquire monotonic, align 4
  %flag = extractvalue { i32, i1 } %flag.pair, 0
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(1) @data
  br label %done

done:
  ret void
}
