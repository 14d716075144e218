; Location order: a thread's own write hides an available one
; REF: AMDGPU Memory Model, Location Order
; The reader writes before it reads: the other write needs to be available, but not visible. The hidden write and
; the load are not ordered with each other, though, and count as a race.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ ~(t1:%data = 2)
; EXPECT: llvm=Never amdgpu=Never+race amdgpu-2026=Never+race

@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4, !mmra !{!"amdgcn-av", !"none"}
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  store i32 2, ptr addrspace(1) @data
  %data = load i32, ptr addrspace(1) @data
  br label %done

done:
  ret void
}
