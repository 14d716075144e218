; Property 4: a write can be made visible in a scope instance that does not contain it
; REF: AMDGPU Memory Model, Properties, 4
; The last acquire names a wavefront; the write is in another one. It includes an operation to which the write is
; visible.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1 t2)))
; EXISTS: t2:%second = 1 /\ ~(t2:%data = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@data = addrspace(1) global i32 0
@first = addrspace(1) global i32 0
@second = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @first syncscope("workgroup") release, align 4
  ret void
}

define void @t1() {
  %first = load atomic i32, ptr addrspace(1) @first syncscope("workgroup") acquire, align 4
  %set = icmp eq i32 %first, 1
  br i1 %set, label %pass, label %done

pass:
  store atomic i32 1, ptr addrspace(1) @second syncscope("wavefront") release, align 4, !mmra !{!"amdgcn-av", !"none"}
  br label %done

done:
  ret void
}

define void @t2() {
  %second = load atomic i32, ptr addrspace(1) @second syncscope("wavefront") acquire, align 4
  %set = icmp eq i32 %second, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(1) @data
  br label %done

done:
  ret void
}
