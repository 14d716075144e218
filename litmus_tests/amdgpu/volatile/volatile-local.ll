; Volatile: accesses to local memory are so for the workgroup
; REF: AMDGPU Memory Model, volatile; https://github.com/llvm/llvm-project/pull/214168
; As all accesses to local memory.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; EXISTS: t1:%flag = 1 /\ ~(t1:%data = 1)
; EXPECT: llvm=Never amdgpu=Sometimes+race amdgpu-2026=Never

@data = addrspace(3) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store volatile i32 1, ptr addrspace(3) @data
  store atomic i32 1, ptr addrspace(1) @flag syncscope("workgroup") release, align 4, !mmra !0
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("workgroup") acquire, align 4, !mmra !0
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load volatile i32, ptr addrspace(3) @data
  br label %done

done:
  ret void
}

!0 = !{!"amdgcn-av", !"none"}
