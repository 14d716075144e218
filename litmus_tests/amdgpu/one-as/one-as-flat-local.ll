; One-as: a flag in global memory, and data in LDS that both sides access by flat addresses
; REF: LLVM AMDGPUUsage, AMDHSA LLVM Sync Scopes, workgroup-one-as
; A flat access is one of the address space of the memory, so the flag does not order it.
; SCOPES: (agent (workgroup t0 t1))
; EXISTS: t1:%flag = 1 /\ ~(t1:%data = 1)
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race
@data = addrspace(3) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  %flat.data = addrspacecast ptr addrspace(3) @data to ptr
  %flat.flag = addrspacecast ptr addrspace(1) @flag to ptr
  store i32 1, ptr %flat.data
  store atomic i32 1, ptr %flat.flag syncscope("workgroup-one-as") release, align 4
  ret void
}

define void @t1() {
  %flat.data = addrspacecast ptr addrspace(3) @data to ptr
  %flat.flag = addrspacecast ptr addrspace(1) @flag to ptr
  %flag = load atomic i32, ptr %flat.flag syncscope("workgroup-one-as") acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr %flat.data
  br label %done

done:
  ret void
}
