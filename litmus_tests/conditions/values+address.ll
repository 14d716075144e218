; The address of a location, and of an element, is asked for with &
; FORALL: @p = &@a /\ t0:%second = &@a[1] /\ @q = @p
; EXPECT: llvm=Always
@a = global [2 x i32] zeroinitializer
@p = global ptr @a
@q = global ptr null
define void @t0() {
  %p = load ptr, ptr @p
  %second = getelementptr i32, ptr %p, i64 1
  store ptr %p, ptr @q
  ret void
}
