; Value: two plain writes of the same value are two writes
; REF: AMDGPU Memory Model, Location Order, the value of a read
; The rule counts writes, not values.
; SCOPES: (agent (workgroup t0) (workgroup t1) (workgroup t2))
; EXISTS: t2:%left = 1 /\ t2:%right = 1 /\ t2:%data = undef
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race amdgpu-2026=Sometimes+race

@data = addrspace(1) global i32 0
@left = addrspace(1) global i32 0
@right = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @left syncscope("agent") release, align 4
  ret void
}

define void @t1() {
  store i32 1, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @right syncscope("agent") release, align 4
  ret void
}

define void @t2() {
  %left = load atomic i32, ptr addrspace(1) @left syncscope("agent") acquire, align 4
  %right = load atomic i32, ptr addrspace(1) @right syncscope("agent") acquire, align 4
  %all = and i32 %left, %right
  %set = icmp eq i32 %all, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(1) @data
  br label %done

done:
  ret void
}
