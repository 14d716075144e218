; A queue whose consumer reads the slot by an av load
; REF: AMDGPU Memory Model, Visibility Operation
; One notch above pattern-queue-none.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%tail = 1 /\ ~(t1:%item = 7)
; EXPECT: llvm=Never amdgpu=Never

@slots = addrspace(1) global [2 x <4 x i32>] zeroinitializer
@tail = addrspace(1) global i32 0

define void @t0() {
  store <4 x i32> splat (i32 7), ptr addrspace(1) @slots
  store atomic i32 1, ptr addrspace(1) @tail syncscope("agent") release, align 4
  ret void
}

define void @t1() {
  %tail = load atomic i32, ptr addrspace(1) @tail syncscope("agent") acquire, align 4, !mmra !{!"amdgcn-av", !"none"}
  %set = icmp eq i32 %tail, 1
  br i1 %set, label %read, label %done

read:
  %index = sub i32 %tail, 1
  %slot = getelementptr [2 x <4 x i32>], ptr addrspace(1) @slots, i32 0, i32 %index
  %vector = call <4 x i32> @llvm.amdgcn.av.global.load.b128(ptr addrspace(1) %slot, metadata !"agent")
  %item = extractelement <4 x i32> %vector, i32 0
  br label %done

done:
  ret void
}

declare <4 x i32> @llvm.amdgcn.av.global.load.b128(ptr addrspace(1), metadata)
