; Synchronization through three threads, under each reading
; REF: MMRA document, The happens-before Relation
; EXISTS: t3:%flag = 1 /\ ~ t3:%data = 1
; EXPECT: llvm/closure=Never llvm/direct=Never llvm/filtered=Never
; EXPECT: amdgpu/closure=Never amdgpu/direct=Never amdgpu/filtered=Never

@data = global i32 0
@f0 = global i32 0
@f1 = global i32 0
@f2 = global i32 0

define void @t0() {
  store i32 1, ptr @data, align 4
  store atomic i32 1, ptr @f0 release, align 4
  ret void
}

define void @t1() {
  %got = load atomic i32, ptr @f0 acquire, align 4
  store atomic i32 %got, ptr @f1 release, align 4
  ret void
}

define void @t2() {
  %got = load atomic i32, ptr @f1 acquire, align 4
  store atomic i32 %got, ptr @f2 release, align 4
  ret void
}

define void @t3() {
  %flag = load atomic i32, ptr @f2 acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %end
read:
  %data = load i32, ptr @data, align 4
  br label %end
end:
  ret void
}
