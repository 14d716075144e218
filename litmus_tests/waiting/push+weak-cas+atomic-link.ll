; Two threads push onto a stack by a weak compare-and-swap: each stores in the node atomically what it has found
; REF: Treiber: Systems programming: coping with parallelism, 1986
; An attempt that fails for no reason stores the same once more: without it others may see what they saw.
; EXISTS: t2:%empty = 0 /\ t2:%value = 0
; EXPECT: llvm=Never amdgpu=Never
; EXPECT: rc11=Never sc=Never

@top = global ptr null

declare ptr @malloc(i64)

define void @push(i32 %value) {
  %node = call ptr @malloc(i64 16)
  store i32 %value, ptr %node
  %next = getelementptr i8, ptr %node, i64 8
  %first = load atomic ptr, ptr @top monotonic, align 8
  br label %try
try:
  %found = phi ptr [ %first, %0 ], [ %seen, %try ]
  store atomic ptr %found, ptr %next monotonic, align 8
  %got = cmpxchg weak ptr @top, ptr %found, ptr %node release monotonic
  %seen = extractvalue { ptr, i1 } %got, 0
  %pushed = extractvalue { ptr, i1 } %got, 1
  br i1 %pushed, label %done, label %try
done:
  ret void
}

define void @t0() {
  call void @push(i32 1)
  ret void
}

define void @t1() {
  call void @push(i32 2)
  ret void
}

define void @t2() {
  %node = load atomic ptr, ptr @top acquire, align 8
  %empty = icmp eq ptr %node, null
  br i1 %empty, label %done, label %look
look:
  %value = load i32, ptr %node
  br label %done
done:
  ret void
}
