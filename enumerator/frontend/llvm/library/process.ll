; What a process has of its own: the error number of each thread, data by key, numbers by chance.
;
; Sources: ISO C17, 7.5, 7.22.2, 7.26.6; POSIX.1-2017 (pthread_key_create, pthread_getspecific, rand).

declare void @enumerator.finish()
declare i64 @enumerator.size(ptr)
declare void @enumerator.free(ptr)
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

; The alignment is a power of two, and not less than that of a pointer.
define i32 @posix_memalign(ptr %to, i64 %alignment, i64 %size) {
entry:
  %less = sub i64 %alignment, 1
  %others = and i64 %alignment, %less
  %several = icmp ne i64 %others, 0
  %small = icmp ult i64 %alignment, 8
  %wrong = or i1 %several, %small
  br i1 %wrong, label %invalid, label %make
invalid:
  ret i32 22
make:
  %memory = call ptr @malloc(i64 %size)
  store ptr %memory, ptr %to
  ret i32 0
}

; A size of 0 frees, as with glibc. What has more bytes than before has nothing in them.
define ptr @realloc(ptr %old, i64 %size) {
entry:
  %none = icmp eq ptr %old, null
  br i1 %none, label %make, label %look
make:
  %made = call ptr @malloc(i64 %size)
  ret ptr %made
look:
  %end = icmp eq i64 %size, 0
  br i1 %end, label %free, label %move
free:
  call void @enumerator.free(ptr %old)
  ret ptr null
move:
  %had = call i64 @enumerator.size(ptr %old)
  %new = call ptr @malloc(i64 %size)
  %less = icmp ult i64 %had, %size
  %length = select i1 %less, i64 %had, i64 %size
  call void @llvm.memcpy.p0.p0.i64(ptr %new, ptr %old, i64 %length, i1 false)
  call void @enumerator.free(ptr %old)
  ret ptr %new
}

; Calls of it are no calls here: this is what its address stands for.
define void @free(ptr %memory) {
  call void @enumerator.free(ptr %memory)
  ret void
}

; ENOMEM is 12.
define ptr @reallocarray(ptr %old, i64 %count, i64 %size) {
entry:
  %product = call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %count, i64 %size)
  %large = extractvalue { i64, i1 } %product, 1
  br i1 %large, label %fail, label %go
fail:
  %error = call ptr @__errno_location()
  store i32 12, ptr %error
  ret ptr null
go:
  %bytes = extractvalue { i64, i1 } %product, 0
  %new = call ptr @realloc(ptr %old, i64 %bytes)
  ret ptr %new
}

; -- Data by key -------------------------------------------------------------------------------------------------
; A key is a number; each thread has a place for each. EAGAIN is 11; thrd_error is 2.

@enumerator.keys = global i32 0
@enumerator.destructors = global [16 x ptr] zeroinitializer
@enumerator.data = thread_local global [16 x ptr] zeroinitializer

define i32 @pthread_key_create(ptr %key, ptr %destructor) {
entry:
  %number = atomicrmw add ptr @enumerator.keys, i32 1 monotonic
  %room = icmp ult i32 %number, 16
  br i1 %room, label %give, label %full
give:
  store i32 %number, ptr %key
  %none = icmp eq ptr %destructor, null
  br i1 %none, label %done, label %destroys
destroys:
  %place = getelementptr ptr, ptr @enumerator.destructors, i32 %number
  store atomic ptr %destructor, ptr %place monotonic, align 8
  br label %done
done:
  ret i32 0
full:
  ret i32 11
}

; A key whose destructor is forgotten has none.
define i32 @pthread_key_delete(i32 %key) {
  %place = getelementptr ptr, ptr @enumerator.destructors, i32 %key
  store atomic ptr null, ptr %place monotonic, align 8
  ret i32 0
}

; At the end of a thread, where the program asks for any of it: objects, then data, as glibc has it.
define void @enumerator.destroy() {
  call void @enumerator.destroy.objects()
  call void @enumerator.destroy.data()
  ret void
}

; Objects of a thread of C++ are destroyed in reverse order (Itanium C++ ABI, 3.3.6.4); those that are made meanwhile, too.
@enumerator.objects = thread_local global i32 0
@enumerator.destructors.of.objects = thread_local global [16 x [2 x ptr]] zeroinitializer
declare void @enumerator.more.than.16.objects.of.a.thread.with.destructors()

define i32 @__cxa_thread_atexit(ptr %destructor, ptr %object, ptr %library) {
entry:
  %place = call ptr @llvm.threadlocal.address.p0(ptr @enumerator.objects)
  %number = load i32, ptr %place
  %room = icmp ult i32 %number, 16
  br i1 %room, label %add, label %full
full:
  call void @enumerator.more.than.16.objects.of.a.thread.with.destructors()
  br label %add
add:
  %all = call ptr @llvm.threadlocal.address.p0(ptr @enumerator.destructors.of.objects)
  %one = getelementptr [2 x ptr], ptr %all, i32 %number
  store ptr %destructor, ptr %one
  %second = getelementptr i8, ptr %one, i64 8
  store ptr %object, ptr %second
  %next = add i32 %number, 1
  store i32 %next, ptr %place
  ret i32 0
}

define void @enumerator.destroy.objects() {
entry:
  %place = call ptr @llvm.threadlocal.address.p0(ptr @enumerator.objects)
  %all = call ptr @llvm.threadlocal.address.p0(ptr @enumerator.destructors.of.objects)
  br label %loop
loop:
  %number = load i32, ptr %place
  %none = icmp eq i32 %number, 0
  br i1 %none, label %done, label %run
run:
  %last = sub i32 %number, 1
  store i32 %last, ptr %place
  %one = getelementptr [2 x ptr], ptr %all, i32 %last
  %destructor = load ptr, ptr %one
  %second = getelementptr i8, ptr %one, i64 8
  %object = load ptr, ptr %second
  call void %destructor(ptr %object)
  br label %loop
done:
  ret void
}

; Where keys have destructors: in the order of the keys, and again, at most four times, while any of them has run
; (PTHREAD_DESTRUCTOR_ITERATIONS). A thread knows of the keys for which it has data.
define void @enumerator.destroy.data() {
entry:
  %all = call ptr @llvm.threadlocal.address.p0(ptr @enumerator.data)
  br label %round
round:
  %number = phi i32 [ 0, %entry ], [ %next.round, %over ]
  %count = load atomic i32, ptr @enumerator.keys monotonic, align 4
  br label %each
each:
  %key = phi i32 [ 0, %round ], [ %next, %more ]
  %ran = phi i1 [ false, %round ], [ %now, %more ]
  %last = icmp eq i32 %key, %count
  br i1 %last, label %over, label %look
look:
  %place = getelementptr ptr, ptr %all, i32 %key
  %data = load ptr, ptr %place
  %none = icmp eq ptr %data, null
  br i1 %none, label %more, label %ask
ask:
  %destructor.place = getelementptr ptr, ptr @enumerator.destructors, i32 %key
  %destructor = load atomic ptr, ptr %destructor.place monotonic, align 8
  %no = icmp eq ptr %destructor, null
  br i1 %no, label %more, label %run
run:
  store ptr null, ptr %place
  call void %destructor(ptr %data)
  br label %more
more:
  %now = phi i1 [ %ran, %look ], [ %ran, %ask ], [ true, %run ]
  %next = add i32 %key, 1
  br label %each
over:
  %next.round = add i32 %number, 1
  %fewer = icmp ult i32 %next.round, 4
  %again = and i1 %ran, %fewer
  br i1 %again, label %round, label %done
done:
  ret void
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
  %gone = call i32 @pthread_key_delete(i32 %key)
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
