; A consumer that waits for the flag
; REF: AMDGPU Memory Model, Scopes
; REF: LLVM AMDGPUUsage, Memory Model gfx942
; Three attempts with monotonic loads; one fence after them is enough.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; UNROLL: 4
; EXISTS: t1:%flag = 1 /\ ~(t1:%data = 1)
; EXPECT: llvm=Never amdgpu=Never

@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  fence syncscope("agent") release
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") monotonic, align 4
  ret void
}

define void @t1() {
  br label %poll

poll:
  %i = phi i32 [ 1, %0 ], [ %next, %again ]
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") monotonic, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %again

again:
  %next = add i32 %i, 1
  %more = icmp sle i32 %next, 3
  br i1 %more, label %poll, label %done

read:
  fence syncscope("agent") acquire
  %data = load i32, ptr addrspace(1) @data
  br label %done

done:
  ret void
}
