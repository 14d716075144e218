; mmra-000109-2
; SCOPES: (system (agent (cluster (workgroup (wavefront t0 t1)))))
; OBSERVE: @f @h t1:%r0
@f = addrspace(1) global i32 0
@h = addrspace(1) global i32 0
define void @t0() {
  store atomic i32 1, ptr addrspace(1) @f seq_cst, align 4, !mmra !0
  store atomic i32 2, ptr addrspace(1) @h release, align 4, !mmra !3
  ret void
}
define void @t1() {
  %r0 = load atomic i32, ptr addrspace(1) @h acquire, align 4, !mmra !5
  store atomic i32 3, ptr addrspace(1) @f release, align 4
  ret void
}
!0 = !{!"vulkan", !"nonprivate"}
!1 = !{!"sync-as", !"1"}
!2 = !{!"sync-as", !"3"}
!3 = !{!1, !2}
!4 = !{!"vulkan", !"private"}
!5 = !{!1, !4}
