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

; The difference of the first bytes that differ.
define i32 @memcmp(ptr %one, ptr %other, i64 %size) {
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
  br i1 %same, label %more, label %differ
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

define i32 @bcmp(ptr %one, ptr %other, i64 %size) {
  %result = call i32 @memcmp(ptr %one, ptr %other, i64 %size)
  ret i32 %result
}

define ptr @memchr(ptr %string, i32 %wanted, i64 %size) {
entry:
  %sought = trunc i32 %wanted to i8
  br label %loop
loop:
  %at = phi i64 [ 0, %entry ], [ %next, %more ]
  %over = icmp eq i64 %at, %size
  br i1 %over, label %none, label %look
look:
  %place = getelementptr i8, ptr %string, i64 %at
  %byte = load i8, ptr %place
  %same = icmp eq i8 %byte, %sought
  br i1 %same, label %found, label %more
more:
  %next = add i64 %at, 1
  br label %loop
found:
  ret ptr %place
none:
  ret ptr null
}

define ptr @strchr(ptr %string, i32 %wanted) {
  %length = call i64 @strlen(ptr %string)
  %size = add i64 %length, 1
  %result = call ptr @memchr(ptr %string, i32 %wanted, i64 %size)
  ret ptr %result
}

define i64 @strnlen(ptr %string, i64 %size) {
entry:
  br label %loop
loop:
  %at = phi i64 [ 0, %entry ], [ %next, %more ]
  %over = icmp eq i64 %at, %size
  br i1 %over, label %end, label %look
look:
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

define ptr @strncpy(ptr %to, ptr %from, i64 %size) {
entry:
  %length = call i64 @strnlen(ptr %from, i64 %size)
  br label %loop
loop:
  %at = phi i64 [ 0, %entry ], [ %next, %write ]
  %over = icmp eq i64 %at, %size
  br i1 %over, label %end, label %more
more:
  %in = icmp ult i64 %at, %length
  br i1 %in, label %read, label %write
read:
  %source = getelementptr i8, ptr %from, i64 %at
  %held = load i8, ptr %source
  br label %write
write:
  %byte = phi i8 [ 0, %more ], [ %held, %read ]
  %target = getelementptr i8, ptr %to, i64 %at
  store i8 %byte, ptr %target
  %next = add i64 %at, 1
  br label %loop
end:
  ret ptr %to
}

define ptr @strcat(ptr %to, ptr %from) {
  %length = call i64 @strlen(ptr %to)
  %end = getelementptr i8, ptr %to, i64 %length
  %result = call ptr @strcpy(ptr %end, ptr %from)
  ret ptr %to
}

define ptr @strdup(ptr %string) {
  %length = call i64 @strlen(ptr %string)
  %size = add i64 %length, 1
  %copy = call ptr @malloc(i64 %size)
  %result = call ptr @strcpy(ptr %copy, ptr %string)
  ret ptr %copy
}
