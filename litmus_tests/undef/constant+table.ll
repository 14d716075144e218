; A table of constants is no memory that anybody races for: two locks, taken in the order that it says
; REF: LangRef, Global Variables ("the contents of the variable will never be modified")
; Whoever the thread is, it takes the lower lock first; what it reads in the table depends on nothing but itself.
; FORALL: @data = 2
; EXPECT: sc=Always rc11=Always llvm=Always amdgpu=Always

@table = constant [4 x i32] [i32 0, i32 1, i32 0, i32 1]
@locks = global [2 x i32] zeroinitializer
@data = global i32 0

define void @work(i64 %me) {
  %row = mul i64 %me, 2
  %low.at = getelementptr i32, ptr @table, i64 %row
  %low = load i32, ptr %low.at
  %first = getelementptr i32, ptr @locks, i32 %low
  br label %take

take:
  %seen = cmpxchg ptr %first, i32 0, i32 1 acquire monotonic, align 4
  %mine = extractvalue { i32, i1 } %seen, 1
  br i1 %mine, label %inside, label %take

inside:
  %old = load i32, ptr @data
  %new = add i32 %old, 1
  store i32 %new, ptr @data
  store atomic i32 0, ptr %first release, align 4
  ret void
}

define void @t0() {
  call void @work(i64 0)
  ret void
}

define void @t1() {
  call void @work(i64 1)
  ret void
}
