; Two bit-fields in one byte are one memory location: stores to them race
; REF: ISO C11, 3.14: memory location
; REF: ISO C11, 6.7.2.1: bit-fields
; Each thread loads the byte, changes its bits and stores it.
; FORALL: @s[0..1) = undef
; EXPECT: llvm=Always+race amdgpu=Always+race
; EXPECT: rc11=Never+race sc=Never tso=Never
;
; clang-16 -O2 -S -emit-llvm, of
;
; | struct { unsigned char low : 4, high : 4; } s;
; |
; | void t0(void) { s.low = 1; }
; | void t1(void) { s.high = 2; }

%struct = type { i8 }
@s = global %struct zeroinitializer, align 1

define void @t0() {
  %1 = load i8, ptr @s, align 1
  %2 = and i8 %1, -16
  %3 = or i8 %2, 1
  store i8 %3, ptr @s, align 1
  ret void
}

define void @t1() {
  %1 = load i8, ptr @s, align 1
  %2 = and i8 %1, 15
  %3 = or i8 %2, 32
  store i8 %3, ptr @s, align 1
  ret void
}
