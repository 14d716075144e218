; What a process has of its own: the error number of each thread, data by key, numbers by chance.
;
; Sources: ISO C17, 7.5, 7.22.2, 7.26.6; POSIX.1-2017 (pthread_key_create, pthread_getspecific, rand).

declare void @enumerator.finish()
@enumerator.errno = thread_local global i32 0

; __errno_location gives its address (runtime.py).

; -- The end of the process, and memory ---------------------------------------------------------------------------
; A process that ends with another status than 0 has failed.

define void @exit(i32 %status) {
entry:
  %failed = icmp ne i32 %status, 0
  br i1 %failed, label %bad, label %good
bad:
  call void @abort()
  unreachable
good:
  call void @enumerator.finish()
  unreachable
}

define void @_exit(i32 %status) {
  call void @exit(i32 %status)
  unreachable
}

define void @_Exit(i32 %status) {
  call void @exit(i32 %status)
  unreachable
}

define void @quick_exit(i32 %status) {
  call void @exit(i32 %status)
  unreachable
}

define i32 @posix_memalign(ptr %to, i64 %alignment, i64 %size) {
  %memory = call ptr @malloc(i64 %size)
  store ptr %memory, ptr %to
  ret i32 0
}

; -- Data by key -------------------------------------------------------------------------------------------------
; A key is a number; each thread has a place for each. Destructors are not covered. EAGAIN is 11; thrd_error is 2.

@enumerator.keys = global i32 0
@enumerator.data = thread_local global [16 x ptr] zeroinitializer

define i32 @pthread_key_create(ptr %key, ptr %destructor) {
entry:
  %number = atomicrmw add ptr @enumerator.keys, i32 1 monotonic
  %room = icmp ult i32 %number, 16
  br i1 %room, label %give, label %full
give:
  store i32 %number, ptr %key
  ret i32 0
full:
  ret i32 11
}

define i32 @pthread_key_delete(i32 %key) {
  ret i32 0
}

define ptr @pthread_getspecific(i32 %key) {
  %all = call ptr @llvm.threadlocal.address.p0(ptr @enumerator.data)
  %place = getelementptr ptr, ptr %all, i32 %key
  %data = load ptr, ptr %place
  ret ptr %data
}

define i32 @pthread_setspecific(i32 %key, ptr %data) {
  %all = call ptr @llvm.threadlocal.address.p0(ptr @enumerator.data)
  %place = getelementptr ptr, ptr %all, i32 %key
  store ptr %data, ptr %place
  ret i32 0
}

define i32 @tss_create(ptr %key, ptr %destructor) {
  %error = call i32 @pthread_key_create(ptr %key, ptr %destructor)
  %failed = icmp ne i32 %error, 0
  %result = select i1 %failed, i32 2, i32 0
  ret i32 %result
}

define void @tss_delete(i32 %key) {
  ret void
}

define ptr @tss_get(i32 %key) {
  %data = call ptr @pthread_getspecific(i32 %key)
  ret ptr %data
}

define i32 @tss_set(i32 %key, ptr %data) {
  %result = call i32 @pthread_setspecific(i32 %key, ptr %data)
  ret i32 %result
}

; -- Numbers by chance -------------------------------------------------------------------------------------------
; Any number that is not negative.

define void @srand(i32 %seed) {
  ret void
}

define void @srandom(i32 %seed) {
  ret void
}

define i32 @rand() {
  %any = freeze i32 undef
  %number = and i32 %any, 2147483647
  ret i32 %number
}

define i32 @rand_r(ptr %seed) {
  %number = call i32 @rand()
  ret i32 %number
}

define i64 @random() {
  %number = call i32 @rand()
  %wide = zext i32 %number to i64
  ret i64 %wide
}

; What a sanitizer of races begins with, which sees to it that clang adds no reads; nothing is instrumented.
define void @__tsan_init() {
  ret void
}
