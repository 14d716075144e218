; mmra-000034-3
; SCOPES: (system (agent (cluster (workgroup (wavefront t0 t1)))))
; OBSERVE: @f @h t0:%r0 t0:%r1 t1:%r0 t1:%r1
@f = addrspace(1) global i32 0
@h = addrspace(1) global i32 0
define void @t0() {
  %r0 = atomicrmw add ptr addrspace(1) @f, i32 10 seq_cst, !mmra !2
  %r1 = load atomic i32, ptr addrspace(1) @h acquire, align 4, !mmra !3
  ret void
}
define void @t1() {
  %r0 = atomicrmw add ptr addrspace(1) @h, i32 20 seq_cst, !mmra !5
  fence syncscope("singlethread") release
  %r1 = load atomic i32, ptr addrspace(1) @f acquire, align 4, !mmra !1
  ret void
}
!0 = !{!"sync-as", !"1"}
!1 = !{!"vulkan", !"nonprivate"}
!2 = !{!0, !1}
!3 = !{!"vulkan", !"private"}
!4 = !{!"sync-as", !"3"}
!5 = !{!4, !3}
