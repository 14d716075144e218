; Strings: what the C library does with them, byte by byte. Functions of a length are told it.

declare ptr @malloc(i64)

; What copies other lengths than those that the library has a copy for.
declare void @enumerator.copy.of.a.length.that.is.not.known.or.too.large()
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define i64 @strlen(ptr %string) {
entry:
  br label %loop
loop:
  %at = phi i64 [ 0, %entry ], [ %next, %more ]
  %place = getelementptr i8, ptr %string, i64 %at
  %byte = load i8, ptr %place
  %ends = icmp eq i8 %byte, 0
  br i1 %ends, label %end, label %more
more:
  %next = add i64 %at, 1
  br label %loop
end:
  ret i64 %at
}

define ptr @strcpy(ptr %to, ptr %from) {
entry:
  br label %loop
loop:
  %at = phi i64 [ 0, %entry ], [ %next, %more ]
  %source = getelementptr i8, ptr %from, i64 %at
  %target = getelementptr i8, ptr %to, i64 %at
  %byte = load i8, ptr %source
  store i8 %byte, ptr %target
  %ends = icmp eq i8 %byte, 0
  br i1 %ends, label %end, label %more
more:
  %next = add i64 %at, 1
  br label %loop
end:
  ret ptr %to
}

define i32 @strncmp(ptr %one, ptr %other, i64 %size) {
entry:
  br label %loop
loop:
  %at = phi i64 [ 0, %entry ], [ %next, %more ]
  %over = icmp eq i64 %at, %size
  br i1 %over, label %equal, label %look
look:
  %first = getelementptr i8, ptr %one, i64 %at
  %second = getelementptr i8, ptr %other, i64 %at
  %a = load i8, ptr %first
  %b = load i8, ptr %second
  %same = icmp eq i8 %a, %b
  br i1 %same, label %both, label %differ
both:
  %ends = icmp eq i8 %a, 0
  br i1 %ends, label %equal, label %more
more:
  %next = add i64 %at, 1
  br label %loop
differ:
  %wide.a = zext i8 %a to i32
  %wide.b = zext i8 %b to i32
  %difference = sub i32 %wide.a, %wide.b
  ret i32 %difference
equal:
  ret i32 0
}

define i32 @strcmp(ptr %one, ptr %other) {
  %result = call i32 @strncmp(ptr %one, ptr %other, i64 -1)
  ret i32 %result
}

define ptr @strdup(ptr %string) {
  %length = call i64 @strlen(ptr %string)
  %size = add i64 %length, 1
  %copy = call ptr @malloc(i64 %size)
  %result = call ptr @strcpy(ptr %copy, ptr %string)
  ret ptr %copy
}
