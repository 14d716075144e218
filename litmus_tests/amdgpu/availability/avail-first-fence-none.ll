; Availability: the same with fences
; REF: AMDGPU Memory Model, Availability Operation
; Neither the second thread's acquire nor its release can make up for the missing first step.
; SCOPES: (agent (workgroup t0 t1) (workgroup t2))
; EXISTS: t2:%second = 1 /\ t2:%data = undef
; EXPECT: llvm=Never amdgpu=Sometimes+race amdgpu-2026=Sometimes+race

@data = addrspace(1) global i32 0
@first = addrspace(1) global i32 0
@second = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  fence syncscope("workgroup") release, !mmra !{!"amdgcn-av", !"none"}
  store atomic i32 1, ptr addrspace(1) @first syncscope("workgroup") monotonic, align 4
  ret void
}

define void @t1() {
  %first = load atomic i32, ptr addrspace(1) @first syncscope("workgroup") monotonic, align 4
  fence syncscope("agent") acq_rel
  %set = icmp eq i32 %first, 1
  br i1 %set, label %pass, label %done

pass:
  store atomic i32 1, ptr addrspace(1) @second syncscope("agent") monotonic, align 4
  br label %done

done:
  ret void
}

define void @t2() {
  %second = load atomic i32, ptr addrspace(1) @second syncscope("agent") monotonic, align 4
  fence syncscope("agent") acquire
  %set = icmp eq i32 %second, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(1) @data
  br label %done

done:
  ret void
}
