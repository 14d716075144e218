; A release store is itself ordered before what follows the acquire, under each reading
; REF: MMRA document, The happens-before Relation
; EXISTS: t1:%first = 1 /\ ~ t1:%second = 1
; EXPECT: llvm/closure=Never llvm/direct=Never llvm/filtered=Never
; EXPECT: amdgpu/closure=Never amdgpu/direct=Never amdgpu/filtered=Never

@x = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x release, align 4
  ret void
}

define void @t1() {
  %first = load atomic i32, ptr @x acquire, align 4
  %set = icmp eq i32 %first, 1
  br i1 %set, label %read, label %end
read:
  %second = load i32, ptr @x, align 4
  br label %end
end:
  ret void
}
