; Giving a buffer back takes order only
; REF: AMDGPU Memory Model, Scopes
; REF: LLVM AMDGPUUsage, Memory Model gfx942
; REF: AMDGPU Memory Model, Location Order
; Non-av release and acquire: a read has nothing to make available.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ t0:%free = 1 /\ ~(t1:%data = 1)
; EXPECT: llvm=Never amdgpu=Never

@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0
@free = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4
  %free = load atomic i32, ptr addrspace(1) @free syncscope("agent") acquire, align 4, !mmra !{!"amdgcn-av", !"none"}
  %set = icmp eq i32 %free, 1
  br i1 %set, label %write, label %done

write:
  store i32 2, ptr addrspace(1) @data
  br label %done

done:
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @free syncscope("agent") release, align 4, !mmra !{!"amdgcn-av", !"none"}
  br label %done

done:
  ret void
}
