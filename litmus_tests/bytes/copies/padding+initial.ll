; Between the fields of an initial value memory is zero
; REF: System V ABI, ELF: initialized data
; Nothing was stored there, and an object file has zeros.
; FORALL: t0:%padding = 0 /\ t0:%field = 1
; EXPECT: llvm=Always amdgpu=Always
; EXPECT: rc11=Always sc=Always tso=Always

%padded = type { i8, i32 }
@s = global %padded { i8 1, i32 2 }

define void @t0() {
  %p = getelementptr i8, ptr @s, i64 1
  %field = load i8, ptr @s
  %padding = load i8, ptr %p
  ret void
}
