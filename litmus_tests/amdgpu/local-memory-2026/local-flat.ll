; Local memory: an access through a generic pointer that resolves to addrspace(3) is one to local memory
; REF: AMDGPU Memory Model, addrspace(3); https://github.com/llvm/llvm-project/pull/212707
; "Any access to addrspace(0) always results in a store-available or load-visible operation with scope workgroup, if
; the flat address resolves to addrspace(3)."
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; EXISTS: t1:%flag = 1 /\ t1:%data = undef
; EXPECT: llvm=Never amdgpu=Sometimes+race amdgpu-2026=Never

@data = addrspace(3) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  %data.flat = addrspacecast ptr addrspace(3) @data to ptr
  store i32 1, ptr %data.flat
  store atomic i32 1, ptr addrspace(1) @flag syncscope("workgroup") release, align 4, !mmra !0
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("workgroup") acquire, align 4, !mmra !0
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data.flat = addrspacecast ptr addrspace(3) @data to ptr
  %data = load i32, ptr %data.flat
  br label %done

done:
  ret void
}

!0 = !{!"amdgcn-av", !"none"}
