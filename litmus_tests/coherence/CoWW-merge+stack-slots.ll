; The same as CoWW-merge as clang -O0 has it: stack slots that stay in their thread are registers, and order nothing
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing Sequential Consistency in C/C++11, PLDI 2017 (the order of seq_cst)
; REF: LLVM LangRef, alloca; mem2reg
; If slots were memory, their accesses would be steps of program order to other locations, which count in the order of
; seq_cst operations, and would forbid what the program without them allows.
; EXISTS: t0:%a2 = 2 /\ t0:%b2 = 0 /\ t2:%c2 = 0
; EXPECT: llvm=Sometimes amdgpu=Sometimes
@x = global i32 0
@y = global i32 0

define void @t0() {
  %a = alloca i32, align 4
  %b = alloca i32, align 4
  %tmp = alloca i32, align 4
  %a0 = load atomic i32, ptr @x acquire, align 4
  store i32 %a0, ptr %tmp, align 4
  %a1 = load i32, ptr %tmp, align 4
  store i32 %a1, ptr %a, align 4
  %a2 = load i32, ptr %a, align 4
  %b0 = load atomic i32, ptr @y seq_cst, align 4
  store i32 %b0, ptr %tmp, align 4
  %b1 = load i32, ptr %tmp, align 4
  store i32 %b1, ptr %b, align 4
  %b2 = load i32, ptr %b, align 4
  ret void
}

define void @t1() {
  %v = alloca i32, align 4
  store i32 1, ptr %v, align 4
  %v1 = load i32, ptr %v, align 4
  store atomic i32 %v1, ptr @x seq_cst, align 4
  store i32 2, ptr %v, align 4
  %v2 = load i32, ptr %v, align 4
  store atomic i32 %v2, ptr @x seq_cst, align 4
  ret void
}

define void @t2() {
  %c = alloca i32, align 4
  store atomic i32 1, ptr @y seq_cst, align 4
  %c0 = load atomic i32, ptr @x seq_cst, align 4
  store i32 %c0, ptr %c, align 4
  %c2 = load i32, ptr %c, align 4
  ret void
}
