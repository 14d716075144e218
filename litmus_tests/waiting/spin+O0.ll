; Waiting for a flag, as clang -O0 writes it: what is read goes through a stack slot
; REF: Boehm, Adve: Foundations of the C++ concurrency memory model, PLDI 2008
; The slot holds something else after each evaluation of the loop, but nobody reads that: the loop only waits.
; EXISTS: t1:%data = 0
; EXPECT: llvm=Never amdgpu=Never
; EXPECT: rc11=Never sc=Never tso=Never

@data = global i32 0
@flag = global i32 0

define void @t0() {
  store i32 1, ptr @data, align 4
  store atomic i32 1, ptr @flag release, align 4
  ret void
}

define void @t1() {
  %temp = alloca i32, align 4
  br label %head
head:
  %seen = load atomic i32, ptr @flag acquire, align 4
  store i32 %seen, ptr %temp, align 4
  %held = load i32, ptr %temp, align 4
  %set = icmp ne i32 %held, 0
  %unset = xor i1 %set, true
  br i1 %unset, label %body, label %end
body:
  br label %head
end:
  %data = load i32, ptr @data, align 4
  ret void
}
