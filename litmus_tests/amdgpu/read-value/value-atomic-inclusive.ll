; Value: an atomic read of a racing atomic write with inclusive scopes
; REF: AMDGPU Memory Model, Location Order, the value of a read
; Either value, never undef; happens-before is not needed.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%data = 1
; EXPECT: llvm=Sometimes amdgpu=Sometimes amdgpu-2026=Sometimes

@data = addrspace(1) global i32 0

define void @t0() {
  store atomic i32 1, ptr addrspace(1) @data syncscope("agent") monotonic, align 4
  ret void
}

define void @t1() {
  %data = load atomic i32, ptr addrspace(1) @data monotonic, align 4
  ret void
}
