; Availability: the scope instance of a further operation must include the write
; REF: AMDGPU Memory Model, Availability Operation
; The second thread's release names its own workgroup, in which the write is not: it is no availability operation on
; it, and the reader's acquire includes no other.
; SCOPES: (agent (workgroup t0) (workgroup t1 t2))
; EXISTS: t2:%second = 1 /\ t2:%data = undef
; EXPECT: llvm=Never amdgpu=Sometimes+race amdgpu-2026=Sometimes+race

@data = addrspace(1) global i32 0
@first = addrspace(1) global i32 0
@second = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @first syncscope("agent") release, align 4
  ret void
}

define void @t1() {
  %first = load atomic i32, ptr addrspace(1) @first syncscope("agent") acquire, align 4, !mmra !{!"amdgcn-av", !"none"}
  %set = icmp eq i32 %first, 1
  br i1 %set, label %pass, label %done

pass:
  store atomic i32 1, ptr addrspace(1) @second syncscope("workgroup") release, align 4
  br label %done

done:
  ret void
}

define void @t2() {
  %second = load atomic i32, ptr addrspace(1) @second syncscope("workgroup") acquire, align 4
  %set = icmp eq i32 %second, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(1) @data
  br label %done

done:
  ret void
}
