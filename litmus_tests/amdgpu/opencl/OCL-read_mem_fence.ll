; read_mem_fence(CLK_LOCAL_MEM_FENCE) does not order the writer's stores
; REF: OpenCL C 1.2 read_mem_fence
; It is an acquire fence: nothing synchronizes.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; PROFILE: amdgpu
; EXISTS: t1:%flag = 1 /\ t1:%data = undef
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race amdgpu-2026=Sometimes+race

@data = addrspace(3) global i32 0
@flag = addrspace(3) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(3) @data
  fence syncscope("workgroup") acquire, !mmra !{!"amdgpu-synchronize-as", !"local"}
  store atomic i32 1, ptr addrspace(3) @flag syncscope("workgroup") monotonic, align 4
  ret void
}

define void @t1() {
  %flag = atomicrmw xchg ptr addrspace(3) @flag, i32 0 syncscope("workgroup") monotonic, align 4
  fence syncscope("workgroup") acquire, !mmra !{!"amdgpu-synchronize-as", !"local"}
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(3) @data
  br label %done

done:
  ret void
}
