; The last block sums up: an acq_rel counter
; REF: CUDA C++ Programming Guide, threadFenceReduction sample
; Whoever draws the last ticket sees the other's partial sum.
; THREADS: a=@kernel(i32 0) b=@kernel(i32 1)
; SCOPES: (agent (workgroup a) (workgroup b))
; EXISTS: a:%ticket = 1 /\ ~(a:%got = 2) \/ b:%ticket = 1 /\ ~(b:%got = 1)
; EXPECT: llvm=Never amdgpu=Never

@partial = addrspace(1) global [2 x i32] zeroinitializer
@count = addrspace(1) global i32 0

define void @kernel(i32 %id) {
  %other = xor i32 %id, 1
  %mine = getelementptr [2 x i32], ptr addrspace(1) @partial, i32 0, i32 %id
  %theirs = getelementptr [2 x i32], ptr addrspace(1) @partial, i32 0, i32 %other
  %value = add i32 %id, 1
  store i32 %value, ptr addrspace(1) %mine
  %ticket = atomicrmw add ptr addrspace(1) @count, i32 1 syncscope("agent") acq_rel, align 4
  %set = icmp eq i32 %ticket, 1
  br i1 %set, label %last, label %done

last:
  %got = load i32, ptr addrspace(1) %theirs
  br label %done

done:
  ret void
}
