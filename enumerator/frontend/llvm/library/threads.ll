; What functions of POSIX and C threads do, in terms of atomic operations.
;
; Sources: POSIX.1-2017 (pthread_create, pthread_join, pthread_mutex_lock, pthread_barrier_wait); ISO C17, 7.26.
; A handle is the address of the object that stands for a thread (HANDLE in enumerator/unfold/creation.py): at 0 whether
; it has been created (2: never will be), at 4 whether it has ended, at 8 its argument, at 16 its result, at 24 the
; number that a thrd_start_t returns. Calls of enumerator.* are instructions of the checker.

declare { ptr, i1, i1 } @enumerator.create(ptr, ptr)
declare { ptr, i1, i1 } @enumerator.create.code(ptr, ptr)
declare void @enumerator.exit(ptr)
declare void @enumerator.leave()
declare i64 @enumerator.self()

; -- Threads -----------------------------------------------------------------------------------------------------

define ptr @enumerator.begin(ptr %self, i1 %waits, i1 %passed) {
entry:
  br i1 %waits, label %loop, label %go
loop:
  %said = load atomic i32, ptr %self acquire, align 4
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
  %place = getelementptr i8, ptr %self, i64 8
  %argument = load ptr, ptr %place
  br label %done
done:
  %given = phi ptr [ null, %go ], [ %argument, %load ]
  ret ptr %given
}

define void @enumerator.end(ptr %self, ptr %result) {
entry:
  %none = icmp eq ptr %result, null
  br i1 %none, label %say, label %store
store:
  %place = getelementptr i8, ptr %self, i64 16
  store ptr %result, ptr %place
  br label %say
say:
  %end = getelementptr i8, ptr %self, i64 4
  store atomic i32 1, ptr %end release, align 4
  ret void
}

define void @enumerator.end.code(ptr %self, i32 %result) {
entry:
  %none = icmp eq i32 %result, 0
  br i1 %none, label %say, label %store
store:
  %place = getelementptr i8, ptr %self, i64 24
  store i32 %result, ptr %place
  br label %say
say:
  %end = getelementptr i8, ptr %self, i64 4
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

define void @pthread_exit(ptr %result) {
  call void @enumerator.exit(ptr %result)
  unreachable
}

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

; -- Locks -------------------------------------------------------------------------------------------------------
; The first word of a mutex is 0 if it is free, 1 if it is held; that of one that has been destroyed is undef.
; All stores are atomic: under LLVM's rules a read that may see a plain store and another one is undef.

define i32 @pthread_mutex_init(ptr %mutex, ptr %attributes) {
  store atomic i32 0, ptr %mutex monotonic, align 4
  ret i32 0
}

define i32 @pthread_mutex_destroy(ptr %mutex) {
  store atomic i32 undef, ptr %mutex monotonic, align 4
  ret i32 0
}

define i32 @pthread_mutex_lock(ptr %mutex) {
entry:
  br label %loop
loop:
  %tried = cmpxchg ptr %mutex, i32 0, i32 1 acquire monotonic
  %taken = extractvalue { i32, i1 } %tried, 1
  br i1 %taken, label %done, label %loop
done:
  ret i32 0
}

; EBUSY is 16.
define i32 @pthread_mutex_trylock(ptr %mutex) {
  %tried = cmpxchg ptr %mutex, i32 0, i32 1 acquire monotonic
  %taken = extractvalue { i32, i1 } %tried, 1
  %result = select i1 %taken, i32 0, i32 16
  ret i32 %result
}

define i32 @pthread_mutex_unlock(ptr %mutex) {
  store atomic i32 0, ptr %mutex release, align 4
  ret i32 0
}

; mtx_t of glibc begins with a long. mtx_plain is 0; thrd_success is 0, thrd_busy 1.
define i32 @mtx_init(ptr %mutex, i32 %type) {
  store atomic i64 0, ptr %mutex monotonic, align 8
  ret i32 0
}

define void @mtx_destroy(ptr %mutex) {
  store atomic i64 undef, ptr %mutex monotonic, align 8
  ret void
}

define i32 @mtx_lock(ptr %mutex) {
entry:
  br label %loop
loop:
  %tried = cmpxchg ptr %mutex, i64 0, i64 1 acquire monotonic
  %taken = extractvalue { i64, i1 } %tried, 1
  br i1 %taken, label %done, label %loop
done:
  ret i32 0
}

define i32 @mtx_trylock(ptr %mutex) {
  %tried = cmpxchg ptr %mutex, i64 0, i64 1 acquire monotonic
  %taken = extractvalue { i64, i1 } %tried, 1
  %result = select i1 %taken, i32 0, i32 1
  ret i32 %result
}

define i32 @mtx_unlock(ptr %mutex) {
  store atomic i64 0, ptr %mutex release, align 8
  ret i32 0
}

; -- Barriers ----------------------------------------------------------------------------------------------------
; The upper half of the first word is how many threads meet, the lower half how many have arrived so far.
; One of the threads that meet is told PTHREAD_BARRIER_SERIAL_THREAD, which is -1.

define i32 @pthread_barrier_init(ptr %barrier, ptr %attributes, i32 %count) {
  %wide = zext i32 %count to i64
  %start = shl i64 %wide, 32
  store atomic i64 %start, ptr %barrier monotonic, align 8
  ret i32 0
}

define i32 @pthread_barrier_destroy(ptr %barrier) {
  store atomic i64 undef, ptr %barrier monotonic, align 8
  ret i32 0
}

define i32 @pthread_barrier_wait(ptr %barrier) {
entry:
  %before = atomicrmw add ptr %barrier, i64 1 acq_rel
  %count = lshr i64 %before, 32
  %arrived = and i64 %before, 4294967295
  %round = udiv i64 %arrived, %count
  %next = add i64 %round, 1
  %full = mul i64 %next, %count
  %last = sub i64 %full, 1
  %is.last = icmp eq i64 %arrived, %last
  br i1 %is.last, label %serial, label %loop
loop:
  %now = load atomic i64, ptr %barrier acquire, align 8
  %here = and i64 %now, 4294967295
  %not.yet = icmp ult i64 %here, %full
  br i1 %not.yet, label %loop, label %done
serial:
  ret i32 -1
done:
  ret i32 0
}
