; Local memory: data in global memory still needs availability and visibility
; REF: AMDGPU Memory Model, addrspace(3); https://github.com/llvm/llvm-project/pull/212707
; The twin of local-both in addrspace(1).
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; EXISTS: t1:%flag = 1 /\ t1:%data = undef
; EXPECT: llvm=Never amdgpu=Sometimes+race amdgpu-2026=Sometimes+race

@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @flag syncscope("workgroup") release, align 4, !mmra !0
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("workgroup") acquire, align 4, !mmra !0
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(1) @data
  br label %done

done:
  ret void
}

!0 = !{!"amdgcn-av", !"none"}
