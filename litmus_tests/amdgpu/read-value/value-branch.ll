; Value: a branch on data that is not visible is undefined behaviour
; REF: AMDGPU Memory Model, Location Order, the value of a read
; The order alone does not give the data a value.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1
; EXPECT: llvm=Sometimes amdgpu=Never+ub-undef+ub

@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4, !mmra !{!"amdgcn-av", !"none"}
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(1) @data
  %taken = icmp eq i32 %data, 1
  br i1 %taken, label %done, label %other

other:
  br label %done

done:
  ret void
}
