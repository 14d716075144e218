; Lanes of a wavefront: wavefront scope
; REF: AMDGPU Memory Model, Scopes
; REF: LLVM AMDGPUUsage, Memory Model gfx942
; The smallest scope that both threads are in.
; SCOPES: (agent (workgroup (wavefront t0 t1)))
; EXISTS: t1:%flag = 1 /\ ~(t1:%data = 1)
; EXPECT: llvm=Never amdgpu=Never

@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  fence syncscope("wavefront") release
  store atomic i32 1, ptr addrspace(1) @flag syncscope("wavefront") monotonic, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("wavefront") monotonic, align 4
  fence syncscope("wavefront") acquire
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(1) @data
  br label %done

done:
  ret void
}
