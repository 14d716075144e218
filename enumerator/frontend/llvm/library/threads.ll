; What functions do that create threads and wait for them, in terms of atomic operations.
;
; Sources: POSIX.1-2017 (pthread_create, pthread_join, pthread_exit); ISO C17, 7.26.
; A handle is the address of the object that stands for a thread (HANDLE in enumerator/unfold/creation.py): at 0 whether
; it has been created (2: never will be), at 4 whether it has ended, at 8 its argument, at 16 its result, at 24 the
; number that a thrd_start_t returns. Calls of enumerator.* are instructions of the checker.

declare { ptr, i1, i1 } @enumerator.create(ptr, ptr)
declare { ptr, i1, i1 } @enumerator.create.code(ptr, ptr)
declare void @enumerator.exit(ptr)
declare void @enumerator.leave()
declare i64 @enumerator.self()
declare i64 @enumerator.time()

; -- Threads -----------------------------------------------------------------------------------------------------

define ptr @enumerator.begin(ptr %handle, i1 %waits, i1 %passed) {
entry:
  br i1 %waits, label %loop, label %go
loop:
  %said = load atomic i32, ptr %handle acquire, align 4
  %not.yet = icmp eq i32 %said, 0
  br i1 %not.yet, label %loop, label %created
created:
  %never = icmp eq i32 %said, 2
  br i1 %never, label %absent, label %go
absent:
  call void @enumerator.leave()
  unreachable
go:
  br i1 %passed, label %load, label %done
load:
  %place = getelementptr i8, ptr %handle, i64 8
  %argument = load ptr, ptr %place
  br label %done
done:
  %given = phi ptr [ null, %go ], [ %argument, %load ]
  ret ptr %given
}

define void @enumerator.end(ptr %handle, ptr %result, i1 %differs) {
entry:
  br i1 %differs, label %store, label %say
store:
  %place = getelementptr i8, ptr %handle, i64 16
  store ptr %result, ptr %place
  br label %say
say:
  %end = getelementptr i8, ptr %handle, i64 4
  store atomic i32 1, ptr %end release, align 4
  ret void
}

define void @enumerator.end.code(ptr %handle, i32 %result, i1 %differs) {
entry:
  br i1 %differs, label %store, label %say
store:
  %place = getelementptr i8, ptr %handle, i64 24
  store i32 %result, ptr %place
  br label %say
say:
  %end = getelementptr i8, ptr %handle, i64 4
  store atomic i32 1, ptr %end release, align 4
  ret void
}

define void @enumerator.begun(ptr %thread, ptr %handle, i1 %waits, i1 %passes, ptr %argument) {
entry:
  br i1 %passes, label %pass, label %may.wait
pass:
  %place = getelementptr i8, ptr %handle, i64 8
  store ptr %argument, ptr %place
  br label %may.wait
may.wait:
  br i1 %waits, label %say, label %done
say:
  store atomic i32 1, ptr %handle release, align 4
  br label %done
done:
  %number = ptrtoint ptr %handle to i64
  store i64 %number, ptr %thread
  ret void
}

define i32 @pthread_create(ptr %thread, ptr %attributes, ptr %function, ptr %argument) {
  %made = call { ptr, i1, i1 } @enumerator.create(ptr %function, ptr %argument)
  %handle = extractvalue { ptr, i1, i1 } %made, 0
  %waits = extractvalue { ptr, i1, i1 } %made, 1
  %passes = extractvalue { ptr, i1, i1 } %made, 2
  call void @enumerator.begun(ptr %thread, ptr %handle, i1 %waits, i1 %passes, ptr %argument)
  ret i32 0
}

define i32 @thrd_create(ptr %thread, ptr %function, ptr %argument) {
  %made = call { ptr, i1, i1 } @enumerator.create.code(ptr %function, ptr %argument)
  %handle = extractvalue { ptr, i1, i1 } %made, 0
  %waits = extractvalue { ptr, i1, i1 } %made, 1
  %passes = extractvalue { ptr, i1, i1 } %made, 2
  call void @enumerator.begun(ptr %thread, ptr %handle, i1 %waits, i1 %passes, ptr %argument)
  ret i32 0
}

define void @enumerator.wait(i64 %thread) {
entry:
  %handle = inttoptr i64 %thread to ptr
  %end = getelementptr i8, ptr %handle, i64 4
  br label %loop
loop:
  %said = load atomic i32, ptr %end acquire, align 4
  %not.yet = icmp eq i32 %said, 0
  br i1 %not.yet, label %loop, label %done
done:
  ret void
}

define i32 @pthread_join(i64 %thread, ptr %to) {
entry:
  call void @enumerator.wait(i64 %thread)
  %none = icmp eq ptr %to, null
  br i1 %none, label %done, label %give
give:
  %handle = inttoptr i64 %thread to ptr
  %place = getelementptr i8, ptr %handle, i64 16
  %result = load ptr, ptr %place
  store ptr %result, ptr %to
  br label %done
done:
  ret i32 0
}

; EBUSY is 16; with a limit on time, which is not modelled, that may be over: ETIMEDOUT is 110.
define i32 @pthread_tryjoin_np(i64 %thread, ptr %to) {
entry:
  %handle = inttoptr i64 %thread to ptr
  %end = getelementptr i8, ptr %handle, i64 4
  %said = load atomic i32, ptr %end acquire, align 4
  %not.yet = icmp eq i32 %said, 0
  br i1 %not.yet, label %busy, label %join
busy:
  ret i32 16
join:
  %joined = call i32 @pthread_join(i64 %thread, ptr %to)
  ret i32 %joined
}

define i32 @pthread_timedjoin_np(i64 %thread, ptr %to, ptr %limit) {
  %tried = call i32 @pthread_tryjoin_np(i64 %thread, ptr %to)
  %busy = icmp eq i32 %tried, 16
  %result = select i1 %busy, i32 110, i32 %tried
  ret i32 %result
}

define i32 @thrd_join(i64 %thread, ptr %to) {
entry:
  call void @enumerator.wait(i64 %thread)
  %none = icmp eq ptr %to, null
  br i1 %none, label %done, label %give
give:
  %handle = inttoptr i64 %thread to ptr
  %place = getelementptr i8, ptr %handle, i64 24
  %result = load i32, ptr %place
  store i32 %result, ptr %to
  br label %done
done:
  ret i32 0
}

define i32 @pthread_detach(i64 %thread) {
  ret i32 0
}

define i32 @thrd_detach(i64 %thread) {
  ret i32 0
}

define void @pthread_exit(ptr %result) {
  call void @enumerator.may.exit()
  call void @enumerator.exit(ptr %result)
  unreachable
}

define void @thrd_exit(i32 %result) {
  call void @enumerator.may.exit()
  call void @enumerator.exit(i32 %result)
  unreachable
}

; -- What is to be cleaned up ------------------------------------------------------------------------------------
; glibc's macros push handlers for a thread that ends, or is cancelled, before they are popped, by a jump to where they
; were pushed: that is not covered, and who ends there is told. Threads are not cancelled.

@enumerator.cleanups = global i32 0
@enumerator.cancel.state = thread_local global i32 0
@enumerator.cancel.type = thread_local global i32 0
declare void @enumerator.exit.before.pthread_cleanup_pop()

define i32 @__sigsetjmp(ptr %buffer, i32 %mask) {
  ret i32 0
}

define void @__pthread_register_cancel(ptr %buffer) {
  %before = call i32 @enumerator.take(ptr @enumerator.cleanups)
  ret void
}

define void @__pthread_unregister_cancel(ptr %buffer) {
  %before = call i32 @enumerator.give(ptr @enumerator.cleanups)
  ret void
}

define void @enumerator.may.exit() {
entry:
  %handlers = call i32 @enumerator.held(ptr @enumerator.cleanups)
  %none = icmp eq i32 %handlers, 0
  br i1 %none, label %done, label %some
some:
  call void @enumerator.exit.before.pthread_cleanup_pop()
  br label %done
done:
  ret void
}

; Both are 0 at first, and may be 1. EINVAL is 22.
define i32 @enumerator.exchange(ptr %place, i32 %new, ptr %to) {
entry:
  %known = icmp ult i32 %new, 2
  br i1 %known, label %go, label %invalid
invalid:
  ret i32 22
go:
  %none = icmp eq ptr %to, null
  br i1 %none, label %set, label %tell
tell:
  %old = load i32, ptr %place
  store i32 %old, ptr %to
  br label %set
set:
  store i32 %new, ptr %place
  ret i32 0
}

define i32 @pthread_setcancelstate(i32 %state, ptr %to) {
  %place = call ptr @llvm.threadlocal.address.p0(ptr @enumerator.cancel.state)
  %result = call i32 @enumerator.exchange(ptr %place, i32 %state, ptr %to)
  ret i32 %result
}

define i32 @pthread_setcanceltype(i32 %type, ptr %to) {
  %place = call ptr @llvm.threadlocal.address.p0(ptr @enumerator.cancel.type)
  %result = call i32 @enumerator.exchange(ptr %place, i32 %type, ptr %to)
  ret i32 %result
}

define void @pthread_testcancel() {
  ret void
}

; -- Who runs ----------------------------------------------------------------------------------------------------

define i64 @pthread_self() {
  %self = call i64 @enumerator.self()
  ret i64 %self
}

define i64 @thrd_current() {
  %self = call i64 @enumerator.self()
  ret i64 %self
}

define i32 @pthread_equal(i64 %one, i64 %other) {
  %same = icmp eq i64 %one, %other
  %result = zext i1 %same to i32
  ret i32 %result
}

define i32 @thrd_equal(i64 %one, i64 %other) {
  %same = icmp eq i64 %one, %other
  %result = zext i1 %same to i32
  ret i32 %result
}

define i32 @sched_yield() {
  ret i32 0
}

define void @thrd_yield() {
  ret void
}

; Time is not modelled: a thread may stand still anywhere.
define i32 @sleep(i32 %seconds) {
  ret i32 0
}

define i32 @usleep(i32 %microseconds) {
  ret i32 0
}

define i32 @nanosleep(ptr %time, ptr %left) {
  ret i32 0
}

define i32 @clock_nanosleep(i32 %clock, i32 %flags, ptr %time, ptr %left) {
  ret i32 0
}

define i32 @thrd_sleep(ptr %time, ptr %left) {
  ret i32 0
}

; Without files, and with a time that ends, these only sleep. What they say of files is not covered.
declare void @enumerator.poll.of.files.or.without.an.end()
declare void @enumerator.select.of.files.or.without.an.end()

define i32 @poll(ptr %files, i64 %count, i32 %milliseconds) {
  %some = icmp ne i64 %count, 0
  %endless = icmp slt i32 %milliseconds, 0
  %other = or i1 %some, %endless
  br i1 %other, label %refused, label %slept
refused:
  call void @enumerator.poll.of.files.or.without.an.end()
  ret i32 -1
slept:
  ret i32 0
}

define i32 @select(i32 %count, ptr %read, ptr %written, ptr %failed, ptr %time) {
  %reads = icmp ne ptr %read, null
  %writes = icmp ne ptr %written, null
  %fails = icmp ne ptr %failed, null
  %endless = icmp eq ptr %time, null
  %either = or i1 %reads, %writes
  %any = or i1 %either, %fails
  %other = or i1 %any, %endless
  br i1 %other, label %refused, label %slept
refused:
  call void @enumerator.select.of.files.or.without.an.end()
  ret i32 -1
slept:
  ret i32 0
}

; What a clock says is any number.
define i32 @clock_gettime(i32 %clock, ptr %time) {
  %nanoseconds = getelementptr i8, ptr %time, i64 8
  %now = call i64 @enumerator.time()
  store i64 %now, ptr %time
  store i64 0, ptr %nanoseconds
  ret i32 0
}

define i64 @clock() {
  %now = call i64 @enumerator.time()
  ret i64 %now
}

define i32 @timespec_get(ptr %time, i32 %base) {
  %nanoseconds = getelementptr i8, ptr %time, i64 8
  %now = call i64 @enumerator.time()
  store i64 %now, ptr %time
  store i64 0, ptr %nanoseconds
  ret i32 %base
}

define i32 @gettimeofday(ptr %time, ptr %zone) {
  %microseconds = getelementptr i8, ptr %time, i64 8
  %now = call i64 @enumerator.time()
  store i64 %now, ptr %time
  store i64 0, ptr %microseconds
  ret i32 0
}

define i64 @time(ptr %place) {
entry:
  %now = call i64 @enumerator.time()
  %none = icmp eq ptr %place, null
  br i1 %none, label %done, label %give
give:
  store i64 %now, ptr %place
  br label %done
done:
  ret i64 %now
}
