; A write is available nowhere that it does not happen before
; REF: AMDGPU Memory Model, Properties
; The release stands before the store: that it happens before the reader makes the store available to nobody.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ t1:%data = undef
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race amdgpu-2026=Sometimes+race
@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0


define void @t0() {
  fence syncscope("agent") release
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") monotonic, align 4
  store i32 1, ptr addrspace(1) @data
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(1) @data
  br label %done

done:
  ret void
}
