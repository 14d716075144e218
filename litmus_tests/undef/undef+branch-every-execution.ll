; A flag that is read beyond its scope: every execution branches on undef, so that nothing can be said of the data
; REF: LLVM LangRef, br; Memory Model for Concurrent Operations
; SCOPES: (agent (workgroup t0) (workgroup t1))
; PROFILE: amdgpu
; NEVER: t1:%data = 0
; EXPECT: llvm=Never+ub-undef+ub amdgpu=Never+ub-undef+ub

@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0
define void @t0() {
  store i32 1, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @flag syncscope("workgroup") release, align 4
  ret void
}
define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4
  %seen = icmp eq i32 %flag, 1
  br i1 %seen, label %read, label %done
read:
  %data = load i32, ptr addrspace(1) @data
  br label %done
done:
  ret void
}
