; A pointer is waited for, as clang writes that without optimization: what is read is an integer, which is copied to a
; stack slot and read there as a pointer
; REF: clang 16 -O0 of `while (!(n = atomic_load_explicit(&p, memory_order_acquire))) ;`; semantics, section 9
; The slot is written before it is read in each iteration, in whichever types, so nothing is carried into the next one.
; THREADS: sets=@sets(ptr null) reads=@reads(ptr null)
; EXISTS: reads:%seen = 0
; EXPECT: llvm=Never amdgpu=Never rc11=Never

@node = global i32 0
@p = global ptr null

define ptr @sets(ptr %unused) {
  store i32 7, ptr @node
  %copy = alloca ptr
  store ptr @node, ptr %copy
  %number = load i64, ptr %copy
  store atomic i64 %number, ptr @p release, align 8
  ret ptr null
}

define ptr @reads(ptr %unused) {
entry:
  %copy = alloca ptr
  %n = alloca ptr
  br label %again
again:
  %number = load atomic i64, ptr @p acquire, align 8
  store i64 %number, ptr %copy
  %pointer = load ptr, ptr %copy
  store ptr %pointer, ptr %n
  %there = icmp ne ptr %pointer, null
  br i1 %there, label %done, label %again
done:
  %it = load ptr, ptr %n
  %seen = load i32, ptr %it
  ret ptr null
}
