; A bit-field of width 0 between two others puts them into two memory locations
; REF: ISO C11, 3.14: memory location
; REF: ISO C11, 6.7.2.1: bit-fields
; The neighbour of bit-field+adjacent.
; FORALL: @s[0..1) = 1 /\ @s[1..2) = 2
; EXPECT: llvm=Always amdgpu=Always
; EXPECT: rc11=Always sc=Always tso=Always
;
; clang-16 -O2 -S -emit-llvm, of
;
; | struct { unsigned char low : 4; unsigned char : 0; unsigned char high : 4; } s;
; |
; | void t0(void) { s.low = 1; }
; | void t1(void) { s.high = 2; }

%struct = type { i8, i8 }
@s = global %struct zeroinitializer, align 1

define void @t0() {
  %1 = load i8, ptr @s, align 1
  %2 = and i8 %1, -16
  %3 = or i8 %2, 1
  store i8 %3, ptr @s, align 1
  ret void
}

define void @t1() {
  %1 = load i8, ptr getelementptr inbounds (%struct, ptr @s, i64 0, i32 1), align 1
  %2 = and i8 %1, -16
  %3 = or i8 %2, 2
  store i8 %3, ptr getelementptr inbounds (%struct, ptr @s, i64 0, i32 1), align 1
  ret void
}
