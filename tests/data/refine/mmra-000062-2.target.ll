; mmra-000062-2
; SCOPES: (system (agent (cluster (workgroup (wavefront t0 t1)))))
; OBSERVE: @d @f t1:%r0 t1:%r1
@d = addrspace(1) global i32 0
@f = addrspace(1) global i32 0
define void @t0() {
  store i32 1, ptr addrspace(1) @d, align 4
  store atomic i32 2, ptr addrspace(1) @f release, align 4
  ret void
}
define void @t1() {
  %r0 = load atomic i32, ptr addrspace(1) @f syncscope("singlethread") acquire, align 4
  %r1 = load i32, ptr addrspace(1) @d, align 4, !mmra !0
  ret void
}
!0 = !{!"vulkan", !"private"}
