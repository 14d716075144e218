; Strings: what the C library does with them, byte by byte. Functions of a length are told it.

declare ptr @malloc(i64)

; What moves other lengths than those that the library has a copy for.
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

define ptr @strndup(ptr %string, i64 %size) {
  %length = call i64 @strnlen(ptr %string, i64 %size)
  %all = add i64 %length, 1
  %copy = call ptr @malloc(i64 %all)
  %result = call ptr @strncpy(ptr %copy, ptr %string, i64 %length)
  %end = getelementptr i8, ptr %copy, i64 %length
  store i8 0, ptr %end
  ret ptr %copy
}

define ptr @stpcpy(ptr %to, ptr %from) {
  %length = call i64 @strlen(ptr %from)
  %result = call ptr @strcpy(ptr %to, ptr %from)
  %end = getelementptr i8, ptr %to, i64 %length
  ret ptr %end
}

define ptr @strncat(ptr %to, ptr %from, i64 %size) {
  %before = call i64 @strlen(ptr %to)
  %end = getelementptr i8, ptr %to, i64 %before
  %length = call i64 @strnlen(ptr %from, i64 %size)
  %result = call ptr @strncpy(ptr %end, ptr %from, i64 %length)
  %last = getelementptr i8, ptr %end, i64 %length
  store i8 0, ptr %last
  ret ptr %to
}

define ptr @memrchr(ptr %string, i32 %wanted, i64 %size) {
entry:
  %sought = trunc i32 %wanted to i8
  br label %loop
loop:
  %at = phi i64 [ %size, %entry ], [ %next, %look ]
  %over = icmp eq i64 %at, 0
  br i1 %over, label %none, label %look
look:
  %next = sub i64 %at, 1
  %place = getelementptr i8, ptr %string, i64 %next
  %byte = load i8, ptr %place
  %same = icmp eq i8 %byte, %sought
  br i1 %same, label %found, label %loop
found:
  ret ptr %place
none:
  ret ptr null
}

define ptr @strrchr(ptr %string, i32 %wanted) {
  %length = call i64 @strlen(ptr %string)
  %size = add i64 %length, 1
  %result = call ptr @memrchr(ptr %string, i32 %wanted, i64 %size)
  ret ptr %result
}

define ptr @strstr(ptr %string, ptr %wanted) {
entry:
  %size = call i64 @strlen(ptr %wanted)
  %length = call i64 @strlen(ptr %string)
  br label %loop
loop:
  %at = phi i64 [ 0, %entry ], [ %next, %more ]
  %last = add i64 %at, %size
  %over = icmp ugt i64 %last, %length
  br i1 %over, label %none, label %look
look:
  %place = getelementptr i8, ptr %string, i64 %at
  %differ = call i32 @memcmp(ptr %place, ptr %wanted, i64 %size)
  %same = icmp eq i32 %differ, 0
  br i1 %same, label %found, label %more
more:
  %next = add i64 %at, 1
  br label %loop
found:
  ret ptr %place
none:
  ret ptr null
}

; How many bytes at the beginning are among some others, or are not.
define i64 @enumerator.span(ptr %string, ptr %among, i1 %are) {
entry:
  br label %loop
loop:
  %at = phi i64 [ 0, %entry ], [ %next, %more ]
  %place = getelementptr i8, ptr %string, i64 %at
  %byte = load i8, ptr %place
  %ends = icmp eq i8 %byte, 0
  br i1 %ends, label %end, label %look
look:
  %wide = zext i8 %byte to i32
  %found = call ptr @strchr(ptr %among, i32 %wide)
  %is = icmp ne ptr %found, null
  %goes.on = icmp eq i1 %is, %are
  br i1 %goes.on, label %more, label %end
more:
  %next = add i64 %at, 1
  br label %loop
end:
  ret i64 %at
}

define i64 @strspn(ptr %string, ptr %among) {
  %length = call i64 @enumerator.span(ptr %string, ptr %among, i1 true)
  ret i64 %length
}

define i64 @strcspn(ptr %string, ptr %among) {
  %length = call i64 @enumerator.span(ptr %string, ptr %among, i1 false)
  ret i64 %length
}

define ptr @strpbrk(ptr %string, ptr %among) {
  %length = call i64 @strcspn(ptr %string, ptr %among)
  %place = getelementptr i8, ptr %string, i64 %length
  %byte = load i8, ptr %place
  %none = icmp eq i8 %byte, 0
  %result = select i1 %none, ptr null, ptr %place
  ret ptr %result
}

define ptr @strtok_r(ptr %string, ptr %among, ptr %rest) {
entry:
  %new = icmp ne ptr %string, null
  br i1 %new, label %begin, label %go.on
go.on:
  %kept = load ptr, ptr %rest
  br label %begin
begin:
  %from = phi ptr [ %string, %entry ], [ %kept, %go.on ]
  %between = call i64 @strspn(ptr %from, ptr %among)
  %token = getelementptr i8, ptr %from, i64 %between
  %length = call i64 @strcspn(ptr %token, ptr %among)
  %end = getelementptr i8, ptr %token, i64 %length
  %empty = icmp eq i64 %length, 0
  br i1 %empty, label %none, label %some
none:
  store ptr %end, ptr %rest
  ret ptr null
some:
  %byte = load i8, ptr %end
  %last = icmp eq i8 %byte, 0
  br i1 %last, label %done, label %cut
cut:
  store i8 0, ptr %end
  %behind = getelementptr i8, ptr %end, i64 1
  br label %done
done:
  %next = phi ptr [ %end, %some ], [ %behind, %cut ]
  store ptr %next, ptr %rest
  ret ptr %token
}

define i32 @strncasecmp(ptr %one, ptr %other, i64 %size) {
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
  %wide.a = zext i8 %a to i32
  %wide.b = zext i8 %b to i32
  %lower.a = call i32 @tolower(i32 %wide.a)
  %lower.b = call i32 @tolower(i32 %wide.b)
  %difference = sub i32 %lower.a, %lower.b
  %same = icmp eq i32 %difference, 0
  br i1 %same, label %both, label %differ
both:
  %ends = icmp eq i8 %a, 0
  br i1 %ends, label %equal, label %more
more:
  %next = add i64 %at, 1
  br label %loop
differ:
  ret i32 %difference
equal:
  ret i32 0
}

define i32 @strcasecmp(ptr %one, ptr %other) {
  %result = call i32 @strncasecmp(ptr %one, ptr %other, i64 -1)
  ret i32 %result
}

; As strtok_r, with one place for all threads.
@enumerator.rest.of.string = global ptr null

define ptr @strtok(ptr %string, ptr %among) {
  %token = call ptr @strtok_r(ptr %string, ptr %among, ptr @enumerator.rest.of.string)
  ret ptr %token
}

define ptr @index(ptr %string, i32 %wanted) {
  %result = call ptr @strchr(ptr %string, i32 %wanted)
  ret ptr %result
}

define ptr @rindex(ptr %string, i32 %wanted) {
  %result = call ptr @strrchr(ptr %string, i32 %wanted)
  ret ptr %result
}

; Where these are called, and not clang's intrinsics.
define ptr @memcpy(ptr %to, ptr %from, i64 %size) {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %size, i1 false)
  ret ptr %to
}

define ptr @mempcpy(ptr %to, ptr %from, i64 %size) {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %size, i1 false)
  %end = getelementptr i8, ptr %to, i64 %size
  ret ptr %end
}

define ptr @memmove(ptr %to, ptr %from, i64 %size) {
  call void @enumerator.move(ptr %to, ptr %from, i64 %size)
  ret ptr %to
}

define ptr @memset(ptr %to, i32 %value, i64 %size) {
  %byte = trunc i32 %value to i8
  call void @llvm.memset.p0.i64(ptr %to, i8 %byte, i64 %size, i1 false)
  ret ptr %to
}

define void @bzero(ptr %to, i64 %size) {
  call void @llvm.memset.p0.i64(ptr %to, i8 0, i64 %size, i1 false)
  ret void
}
