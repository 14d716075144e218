; What sorts arrays and searches them.
;
; Source: ISO C17, 7.22.5: both arguments of the comparison that sorts are addresses of elements of the array, as the
; second one is where an element is sought. Which of two equal elements comes first is left open: here they keep their
; order, as with glibc's merge sort.

define void @qsort(ptr %array, i64 %count, i64 %size, ptr %compare) {
entry:
  %held = alloca [256 x i8], align 16
  br label %outer
outer:
  %at = phi i64 [ 1, %entry ], [ %after, %placed ]
  %more = icmp ult i64 %at, %count
  br i1 %more, label %element, label %done
element:
  %offset = mul i64 %at, %size
  %new = getelementptr i8, ptr %array, i64 %offset
  br label %seek
seek:
  %place = phi i64 [ %at, %element ], [ %before, %larger ]
  %first = icmp eq i64 %place, 0
  br i1 %first, label %found, label %look
look:
  %before = sub i64 %place, 1
  %before.offset = mul i64 %before, %size
  %other = getelementptr i8, ptr %array, i64 %before.offset
  %order = call i32 %compare(ptr %other, ptr %new)
  %is.larger = icmp sgt i32 %order, 0
  br i1 %is.larger, label %larger, label %found
larger:
  br label %seek
found:
  %stays = icmp eq i64 %place, %at
  br i1 %stays, label %placed, label %take
take:
  call void @llvm.memcpy.p0.p0.i64(ptr %held, ptr %new, i64 %size, i1 false)
  br label %shift
shift:
  %to = phi i64 [ %at, %take ], [ %from, %shift ]
  %from = sub i64 %to, 1
  %to.offset = mul i64 %to, %size
  %from.offset = mul i64 %from, %size
  %to.place = getelementptr i8, ptr %array, i64 %to.offset
  %from.place = getelementptr i8, ptr %array, i64 %from.offset
  call void @llvm.memcpy.p0.p0.i64(ptr %to.place, ptr %from.place, i64 %size, i1 false)
  %further = icmp ugt i64 %from, %place
  br i1 %further, label %shift, label %put
put:
  %put.offset = mul i64 %place, %size
  %put.place = getelementptr i8, ptr %array, i64 %put.offset
  call void @llvm.memcpy.p0.p0.i64(ptr %put.place, ptr %held, i64 %size, i1 false)
  br label %placed
placed:
  %after = add i64 %at, 1
  br label %outer
done:
  ret void
}

define ptr @bsearch(ptr %key, ptr %array, i64 %count, i64 %size, ptr %compare) {
entry:
  br label %loop
loop:
  %low = phi i64 [ 0, %entry ], [ %low, %lower ], [ %above, %higher ]
  %high = phi i64 [ %count, %entry ], [ %middle, %lower ], [ %high, %higher ]
  %some = icmp ult i64 %low, %high
  br i1 %some, label %look, label %none
look:
  %sum = add i64 %low, %high
  %middle = lshr i64 %sum, 1
  %offset = mul i64 %middle, %size
  %place = getelementptr i8, ptr %array, i64 %offset
  %order = call i32 %compare(ptr %key, ptr %place)
  switch i32 %order, label %differ [ i32 0, label %found ]
differ:
  %is.lower = icmp slt i32 %order, 0
  br i1 %is.lower, label %lower, label %higher
lower:
  br label %loop
higher:
  %above = add i64 %middle, 1
  br label %loop
found:
  ret ptr %place
none:
  ret ptr null
}
