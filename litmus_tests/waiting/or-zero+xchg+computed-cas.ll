; A loop that runs twice ors its counter into a location: the first time that writes what was there
; REF: found by random programs; semantics, section 9
; A thread may go two ways from its beginning: with the write that changes nothing, and without it. The compare-exchange
; of the other thread has an address that it computes, and fails whatever that is.
; THREADS: ors=@ors(ptr null) cas=@cas(ptr null)
; EXISTS: cas:%r = 0 /\ @x = 0 /\ @y = 0
; EXPECT: llvm=Sometimes amdgpu=Sometimes rc11=Sometimes

@a = global i32 0
@x = global i32 0
@y = global i32 0

define ptr @ors(ptr %unused) {
entry:
  %i = alloca i32
  store i32 0, ptr %i
  br label %test
test:
  %i0 = load i32, ptr %i
  %more = icmp slt i32 %i0, 2
  br i1 %more, label %body, label %done
body:
  %i1 = load i32, ptr %i
  %o = atomicrmw or ptr @a, i32 %i1 monotonic
  %z = atomicrmw xchg ptr @a, i32 2 monotonic
  %i2 = load i32, ptr %i
  %next = add i32 %i2, 1
  store i32 %next, ptr %i
  br label %test
done:
  ret ptr null
}

define ptr @cas(ptr %unused) {
  %r = load atomic i32, ptr @a monotonic, align 4
  %c = icmp ne i32 %r, 0
  %p = select i1 %c, ptr @x, ptr @y
  %q = cmpxchg ptr %p, i32 1, i32 1 monotonic monotonic
  ret ptr null
}
