; mmra-000033-3
; SCOPES: (system (agent (cluster (workgroup (wavefront t0 t1)))))
; OBSERVE: @f t1:%r0
@f = addrspace(1) global i32 0
define void @t0() {
  store atomic i32 1, ptr addrspace(1) @f syncscope("singlethread") monotonic, align 4
  ret void
}
define void @t1() {
  store atomic i32 2, ptr addrspace(1) @f seq_cst, align 4, !mmra !2
  %r0 = load atomic i32, ptr addrspace(1) @f acquire, align 4, !mmra !0
  ret void
}
!0 = !{!"vulkan", !"nonprivate"}
!1 = !{!"vulkan", !"private"}
!2 = !{!0, !1}
