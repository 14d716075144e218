; mmra-000070-3
; SCOPES: (system (agent (cluster (workgroup (wavefront t0 t1)))))
; OBSERVE: @f @h t0:%r0 t1:%r0
@f = addrspace(1) global i32 0
@h = addrspace(1) global i32 0
define void @t0() {
  store atomic i32 1, ptr addrspace(1) @f monotonic, align 4
  fence acquire, !mmra !2
  %r0 = load atomic i32, ptr addrspace(1) @h syncscope("singlethread") seq_cst, align 4, !mmra !1
  ret void
}
define void @t1() {
  store atomic i32 2, ptr addrspace(1) @h monotonic, align 4, !mmra !3
  fence acq_rel, !mmra !4
  %r0 = load atomic i32, ptr addrspace(1) @f monotonic, align 4, !mmra !5
  ret void
}
!0 = !{!"vulkan", !"nonprivate"}
!1 = !{!"vulkan", !"private"}
!2 = !{!0, !1}
!3 = !{!"sync-as", !"1"}
!4 = !{!3, !0}
!5 = !{!"sync-as", !"3"}
