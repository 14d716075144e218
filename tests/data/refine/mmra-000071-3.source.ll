; mmra-000071-3
; SCOPES: (system (agent (cluster (workgroup (wavefront t0 t1 t2)))))
; OBSERVE: @d @f @h t1:%r0 t2:%r0 t2:%r1
@d = addrspace(1) global i32 0
@f = addrspace(1) global i32 0
@h = addrspace(1) global i32 0
define void @t0() {
  store i32 1, ptr addrspace(1) @d, align 4
  store atomic i32 2, ptr addrspace(1) @f release, align 4, !mmra !2
  ret void
}
define void @t1() {
  %r0 = load atomic i32, ptr addrspace(1) @f acquire, align 4, !mmra !3
  store atomic i32 3, ptr addrspace(1) @h release, align 4, !mmra !5
  ret void
}
define void @t2() {
  %r0 = load atomic i32, ptr addrspace(1) @h acquire, align 4, !mmra !0
  %r1 = load i32, ptr addrspace(1) @d, align 4, !mmra !6
  ret void
}
!0 = !{!"sync-as", !"3"}
!1 = !{!"vulkan", !"nonprivate"}
!2 = !{!0, !1}
!3 = !{!"vulkan", !"private"}
!4 = !{!"sync-as", !"1"}
!5 = !{!4, !0}
!6 = !{!1, !3}
