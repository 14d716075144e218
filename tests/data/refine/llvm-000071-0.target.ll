; llvm-000071-0
; SCOPES: (system (agent (cluster (workgroup (wavefront t0 t1 t2)))))
; OBSERVE: @d @f t1:%r0 t2:%r0
@d = addrspace(1) global i32 0
@f = addrspace(1) global i32 0
define void @t0() {
  store i32 1, ptr addrspace(1) @d, align 4
  store atomic i32 2, ptr addrspace(1) @f syncscope("wavefront") release, align 4
  ret void
}
define void @t1() {
  %r0 = load atomic i32, ptr addrspace(1) @f acquire, align 4
  fence release
  store i32 %r0, ptr addrspace(1) @d, align 4
  ret void
}
define void @t2() {
  %r0 = load i32, ptr addrspace(1) @d, align 4
  ret void
}
