; Compiled OpenCL: message passing by relaxed operations; the data is not atomic, so that it races
; EXISTS: t1:%f = 1 /\ t1:%d = 0
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXPECT: opencl=Sometimes+race

@d = addrspace(1) global i32 0
@f = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @d
  store atomic i32 1, ptr addrspace(1) @f syncscope("agent") monotonic, align 4
  ret void
}

define void @t1() {
  %f = load atomic i32, ptr addrspace(1) @f syncscope("agent") monotonic, align 4
  %d = load i32, ptr addrspace(1) @d
  ret void
}
