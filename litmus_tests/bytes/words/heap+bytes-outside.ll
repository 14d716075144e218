; A word of which two bytes are outside of what malloc gave is undefined behaviour
; REF: ISO C11, 7.22.3.4: malloc
; REF: LLVM LangRef, Pointer Aliasing Rules
; The neighbour of heap+bytes.
; EXISTS: true
; EXPECT: llvm=Never+ub-address+ub amdgpu=Never+ub-address+ub

define void @t0() {
  %m = call ptr @malloc(i64 8)
  %p = getelementptr i8, ptr %m, i64 6
  store i16 7, ptr %p
  %word = load i32, ptr %p
  ret void
}

declare ptr @malloc(i64)
