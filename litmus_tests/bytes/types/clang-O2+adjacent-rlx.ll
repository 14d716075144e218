; The same, published without order
; REF: LLVM: the SLP vectorizer
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; The neighbour of clang-O2+adjacent-stores.
; EXISTS: t1:ret = undef
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race
; EXPECT: rc11=Never+race sc=Never tso=Never
;
; clang-16 -O2 -S -emit-llvm, of
;
; | #include <stdatomic.h>
; |
; | struct { int a, b, c, d; } q;
; | _Atomic int flag;
; |
; | void t0(void) {
; |   q.a = 1; q.b = 2; q.c = 3; q.d = 4;
; |   atomic_store_explicit(&flag, 1, memory_order_relaxed);
; | }
; |
; | int t1(void) {
; |   return atomic_load_explicit(&flag, memory_order_relaxed) ? q.a + q.d : 0;
; | }

%struct = type { i32, i32, i32, i32 }
@q = dso_local local_unnamed_addr global %struct zeroinitializer, align 16
@flag = dso_local local_unnamed_addr global i32 0, align 4

define dso_local void @t0() local_unnamed_addr {
  store <4 x i32> <i32 1, i32 2, i32 3, i32 4>, ptr @q, align 16
  store atomic i32 1, ptr @flag monotonic, align 4
  ret void
}

define dso_local i32 @t1() local_unnamed_addr {
  %1 = load atomic i32, ptr @flag monotonic, align 4
  %2 = icmp eq i32 %1, 0
  %3 = load i32, ptr @q, align 16
  %4 = load i32, ptr getelementptr inbounds (%struct, ptr @q, i64 0, i32 3), align 4
  %5 = add nsw i32 %4, %3
  %6 = select i1 %2, i32 0, i32 %5
  ret i32 %6
}
