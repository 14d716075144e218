; Constant memory: the table is there, the index is not
; REF: LLVM AMDGPUUsage, Address Spaces
; An address that is undef is undefined behaviour.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1
; EXPECT: llvm=Sometimes amdgpu=Never+ub-undef+ub

@table = addrspace(4) constant [2 x i32] [i32 5, i32 6]
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
  %where = getelementptr [2 x i32], ptr addrspace(4) @table, i32 0, i32 %data
  %entry = load i32, ptr addrspace(4) %where
  br label %done

done:
  ret void
}
