; Location order: a read and a write without happens-before race
; REF: AMDGPU Memory Model, Location Order
; One notch below LO-read-write: the flag is monotonic.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ t0:%data = undef
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race amdgpu-2026=Sometimes+race

@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  %data = load i32, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") monotonic, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") monotonic, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %write, label %done

write:
  store i32 1, ptr addrspace(1) @data
  br label %done

done:
  ret void
}
