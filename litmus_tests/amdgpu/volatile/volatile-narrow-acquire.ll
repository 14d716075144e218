; Volatile: an acquire of any scope sees it that includes the store
; REF: AMDGPU Memory Model, volatile; https://github.com/llvm/llvm-project/pull/214168
; The scope of the acquire is the one that limits visibility: workgroup, and the store is in it.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; EXISTS: t1:%flag = 1 /\ ~(t1:%data = 1)
; EXPECT: llvm=Never amdgpu=Sometimes+race amdgpu-2026=Never

@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store volatile i32 1, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @flag syncscope("workgroup") release, align 4, !mmra !{!"amdgcn-av", !"none"}
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("workgroup") acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(1) @data
  br label %done

done:
  ret void
}
