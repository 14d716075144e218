; mmra-000119-1
; SCOPES: (system (agent (cluster (workgroup (wavefront t0 t1)))))
; OBSERVE: @d @f t1:%r0
@d = addrspace(1) global i32 0
@f = addrspace(1) global i32 0
define void @t0() {
  store i32 1, ptr addrspace(1) @d, align 4, !mmra !2
  store atomic i32 2, ptr addrspace(1) @f release, align 4, !mmra !3
  ret void
}
define void @t1() {
  %r0 = load atomic i32, ptr addrspace(1) @f syncscope("agent") acquire, align 4, !mmra !1
  store i32 3, ptr addrspace(1) @d, align 4
  ret void
}
!0 = !{!"sync-as", !"1"}
!1 = !{!"vulkan", !"nonprivate"}
!2 = !{!0, !1}
!3 = !{!"sync-as", !"3"}
