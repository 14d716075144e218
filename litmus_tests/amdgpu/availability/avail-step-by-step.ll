; Availability: it expands step by step, from the wavefront to the system
; REF: AMDGPU Memory Model, Availability Operation
; REF: AMDGPU Memory Model, Properties
; Each release is one level wider than the one before and is included in its scope instance. No acquire but the last
; makes visible.
; SCOPES: (system (agent (workgroup (wavefront t0 t1) (wavefront t2))) (agent (workgroup t3)))
; EXISTS: t3:%third = 1 /\ ~(t3:%data = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@data = addrspace(1) global i32 0
@first = addrspace(1) global i32 0
@second = addrspace(1) global i32 0
@third = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @first syncscope("wavefront") release, align 4
  ret void
}

define void @t1() {
  %first = load atomic i32, ptr addrspace(1) @first syncscope("wavefront") acquire, align 4, !mmra !0
  %set = icmp eq i32 %first, 1
  br i1 %set, label %pass, label %done

pass:
  store atomic i32 1, ptr addrspace(1) @second syncscope("workgroup") release, align 4
  br label %done

done:
  ret void
}

define void @t2() {
  %second = load atomic i32, ptr addrspace(1) @second syncscope("workgroup") acquire, align 4, !mmra !0
  %set = icmp eq i32 %second, 1
  br i1 %set, label %pass, label %done

pass:
  store atomic i32 1, ptr addrspace(1) @third release, align 4
  br label %done

done:
  ret void
}

define void @t3() {
  %third = load atomic i32, ptr addrspace(1) @third acquire, align 4
  %set = icmp eq i32 %third, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(1) @data
  br label %done

done:
  ret void
}

!0 = !{!"amdgcn-av", !"none"}
