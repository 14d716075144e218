; Availability: a later and wider release of the writer's own thread
; REF: AMDGPU Memory Model, Availability Operation
; The first release names the workgroup; the second one, of the same thread, follows the write in program order too.
; SCOPES: (agent (workgroup t0 t1) (workgroup t2))
; EXISTS: t2:%second = 1 /\ ~(t2:%data = 1) \/ t1:%first = 1 /\ ~(t1:%near = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@data = addrspace(1) global i32 0
@first = addrspace(1) global i32 0
@second = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @first syncscope("workgroup") release, align 4
  store atomic i32 1, ptr addrspace(1) @second syncscope("agent") release, align 4
  ret void
}

define void @t1() {
  %first = load atomic i32, ptr addrspace(1) @first syncscope("workgroup") acquire, align 4
  %set = icmp eq i32 %first, 1
  br i1 %set, label %read, label %done

read:
  %near = load i32, ptr addrspace(1) @data
  br label %done

done:
  ret void
}

define void @t2() {
  %second = load atomic i32, ptr addrspace(1) @second syncscope("agent") acquire, align 4
  %set = icmp eq i32 %second, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(1) @data
  br label %done

done:
  ret void
}
