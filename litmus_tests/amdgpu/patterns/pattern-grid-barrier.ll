; A barrier of all workgroups by a counter
; REF: Xiao, Feng: Inter-block GPU communication via fast barrier synchronization, IPDPS 2010
; Arrive with release, wait with acquire: the counter's updates are one release sequence.
; THREADS: a=@kernel(i32 0) b=@kernel(i32 1)
; SCOPES: (agent (workgroup a) (workgroup b))
; EXISTS: a:%seen = 2 /\ ~(a:%got = 2) \/ b:%seen = 2 /\ ~(b:%got = 1)
; EXPECT: llvm=Never amdgpu=Never

@slots = addrspace(1) global [2 x i32] zeroinitializer
@count = addrspace(1) global i32 0

define void @kernel(i32 %id) {
  %other = xor i32 %id, 1
  %mine = getelementptr [2 x i32], ptr addrspace(1) @slots, i32 0, i32 %id
  %theirs = getelementptr [2 x i32], ptr addrspace(1) @slots, i32 0, i32 %other
  %value = add i32 %id, 1
  store i32 %value, ptr addrspace(1) %mine
  %ticket = atomicrmw add ptr addrspace(1) @count, i32 1 syncscope("agent") release, align 4
  %seen = load atomic i32, ptr addrspace(1) @count syncscope("agent") acquire, align 4
  %set = icmp eq i32 %seen, 2
  br i1 %set, label %pass, label %done

pass:
  %got = load i32, ptr addrspace(1) %theirs
  br label %done

done:
  ret void
}
