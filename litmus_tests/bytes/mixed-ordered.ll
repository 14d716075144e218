; Atomic accesses of several sizes that are ordered: no flag
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; EXISTS: t1:%flag = 1 /\ ~ t1:%half = 1
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@x = global i32 0
@flag = global i32 0

define void @t0() {
  store atomic i32 65537, ptr @x monotonic, align 4
  store atomic i32 1, ptr @flag release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %end
read:
  %half = load atomic i16, ptr @x monotonic, align 2
  br label %end
end:
  ret void
}
