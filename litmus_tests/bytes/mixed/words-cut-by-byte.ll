; Two words that race are not mixed, though a byte of them is read elsewhere
; REF: the semantics, section 8, Synchronization and No tearing (mixed-atomics)
; The plain byte cuts the word in two cells, so that each atomic access has two parts. They cover the same bytes.
; EXISTS: t1:%word = 257 /\ ~(t1:%byte = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never
@x = global i32 0
define void @t0() {
  store atomic i32 257, ptr @x release, align 4
  ret void
}

define void @t1() {
  %word = load atomic i32, ptr @x acquire, align 4
  %set = icmp eq i32 %word, 257
  br i1 %set, label %read, label %done

read:
  %byte = load i8, ptr @x
  br label %done

done:
  ret void
}
