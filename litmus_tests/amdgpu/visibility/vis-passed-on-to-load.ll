; Visibility: the last operation of the chain may be the load itself
; REF: AMDGPU Memory Model, Visibility Operation
; The reader's acquire is non-av; its atomic load of workgroup scope is the visibility operation.
; SCOPES: (agent (workgroup t0) (workgroup t1 t2))
; EXISTS: t2:%second = 1 /\ ~(t2:%data = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@data = addrspace(1) global i32 0
@first = addrspace(1) global i32 0
@second = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @first syncscope("agent") release, align 4
  ret void
}

define void @t1() {
  %first = load atomic i32, ptr addrspace(1) @first syncscope("agent") acquire, align 4
  %set = icmp eq i32 %first, 1
  br i1 %set, label %pass, label %done

pass:
  store atomic i32 1, ptr addrspace(1) @second syncscope("workgroup") release, align 4, !mmra !0
  br label %done

done:
  ret void
}

define void @t2() {
  %second = load atomic i32, ptr addrspace(1) @second syncscope("workgroup") acquire, align 4, !mmra !0
  %set = icmp eq i32 %second, 1
  br i1 %set, label %read, label %done

read:
  %data = load atomic i32, ptr addrspace(1) @data syncscope("workgroup") monotonic, align 4
  br label %done

done:
  ret void
}

!0 = !{!"amdgcn-av", !"none"}
