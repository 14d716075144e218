; mmra-000109-3
; SCOPES: (system (agent (cluster (workgroup (wavefront t0 t1)))))
; OBSERVE: @f t0:%r0
@f = addrspace(1) global i32 0
define void @t0() {
  %r0 = load atomic i32, ptr addrspace(1) @f monotonic, align 4, !mmra !2
  store atomic i32 1, ptr addrspace(1) @f monotonic, align 4
  store atomic i32 2, ptr addrspace(1) @f monotonic, align 4, !mmra !4
  ret void
}
define void @t1() {
  fence acquire, !mmra !0
  ret void
}
!0 = !{!"sync-as", !"1"}
!1 = !{!"vulkan", !"private"}
!2 = !{!0, !1}
!3 = !{!"vulkan", !"nonprivate"}
!4 = !{!3, !1}
