; Availability: a release sequence that a non-av release heads carries none
; REF: AMDGPU Memory Model, Availability Operation
; REF: C++20, [intro.races], release sequence
; One notch below avail-release-sequence.
; SCOPES: (agent (workgroup t0) (workgroup t1) (workgroup t2))
; EXISTS: t2:%flag = 2 /\ t1:%old = 1 /\ t2:%data = undef
; EXPECT: llvm=Never amdgpu=Sometimes+race amdgpu-2026=Sometimes+race

@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4, !mmra !{!"amdgcn-av", !"none"}
  ret void
}

define void @t1() {
  %old = atomicrmw add ptr addrspace(1) @flag, i32 1 syncscope("agent") monotonic, align 4
  ret void
}

define void @t2() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4
  %set = icmp eq i32 %flag, 2
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(1) @data
  br label %done

done:
  ret void
}
