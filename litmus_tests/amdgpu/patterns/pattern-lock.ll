; A spin lock between workgroups
; REF: Alglave et al.: GPU concurrency: weak behaviours and programming assumptions, ASPLOS 2015
; Both threads got the lock: both increments count.
; THREADS: a=@kernel() b=@kernel()
; SCOPES: (agent (workgroup a) (workgroup b))
; EXISTS: a:%got = 0 /\ b:%got = 0 /\ ~(@counter = 2)
; EXPECT: llvm=Never amdgpu=Never

@counter = addrspace(1) global i32 0
@lock = addrspace(1) global i32 0

define void @kernel() {
  %got = atomicrmw xchg ptr addrspace(1) @lock, i32 1 syncscope("agent") acquire, align 4
  %set = icmp eq i32 %got, 0
  br i1 %set, label %enter, label %done

enter:
  %old = load i32, ptr addrspace(1) @counter
  %new = add i32 %old, 1
  store i32 %new, ptr addrspace(1) @counter
  store atomic i32 0, ptr addrspace(1) @lock syncscope("agent") release, align 4
  br label %done

done:
  ret void
}
