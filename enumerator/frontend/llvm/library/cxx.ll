; What functions of libstdc++ do that its headers leave to the library: threads and condition variables of C++.
;
; Sources: ISO C++17, 33.3 and 33.5; the Itanium C++ ABI, 2.5 (tables of virtual functions); GCC's <bits/std_thread.h>.
; A thread's state is an object with virtual functions: its destructors, and what the thread runs. Exceptions are not
; thrown, as what would throw them does not fail here.

define ptr @enumerator.run.state(ptr %state) {
  %table = load ptr, ptr %state
  %place = getelementptr i8, ptr %table, i64 16
  %run = load ptr, ptr %place
  call void %run(ptr %state)
  %second = getelementptr i8, ptr %table, i64 8
  %delete = load ptr, ptr %second
  call void %delete(ptr %state)
  ret ptr null
}

define void @_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(ptr %thread, ptr %owner, ptr %depends) {
  %state = load ptr, ptr %owner
  store ptr null, ptr %owner
  %made = call i32 @pthread_create(ptr %thread, ptr null, ptr @enumerator.run.state, ptr %state)
  ret void
}

define void @_ZNSt6thread4joinEv(ptr %thread) {
  %number = load i64, ptr %thread
  %joined = call i32 @pthread_join(i64 %number, ptr null)
  store i64 0, ptr %thread
  ret void
}

define void @_ZNSt6thread6detachEv(ptr %thread) {
  store i64 0, ptr %thread
  ret void
}

define void @_ZNSt6thread6_StateD2Ev(ptr %state) {
  ret void
}

define void @_ZNSt18condition_variableC1Ev(ptr %condition) {
  %made = call i32 @pthread_cond_init(ptr %condition, ptr null)
  ret void
}

define void @_ZNSt18condition_variableD1Ev(ptr %condition) {
  %gone = call i32 @pthread_cond_destroy(ptr %condition)
  ret void
}

; A std::unique_lock begins with the address of its mutex.
define void @_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(ptr %condition, ptr %lock) {
  %mutex = load ptr, ptr %lock
  %woken = call i32 @pthread_cond_wait(ptr %condition, ptr %mutex)
  ret void
}

define void @_ZNSt18condition_variable10notify_oneEv(ptr %condition) {
  %said = call i32 @pthread_cond_signal(ptr %condition)
  ret void
}

define void @_ZNSt18condition_variable10notify_allEv(ptr %condition) {
  %said = call i32 @pthread_cond_broadcast(ptr %condition)
  ret void
}

; -- What is done once -------------------------------------------------------------------------------------------

; std::call_once leaves to pthread_once what it stores here before.
@_ZSt11__once_call = external thread_local global ptr
declare ptr @llvm.threadlocal.address.p0(ptr)

define void @__once_proxy() {
  %place = call ptr @llvm.threadlocal.address.p0(ptr @_ZSt11__once_call)
  %call = load ptr, ptr %place
  call void %call()
  ret void
}

; The first byte of a guard is 1 once its variable is there; the word behind it is 1 while a thread makes it, and 2 then.
define i32 @__cxa_guard_acquire(ptr %guard) {
entry:
  %word = getelementptr i8, ptr %guard, i64 4
  %tried = cmpxchg ptr %word, i32 0, i32 1 acquire acquire
  %first = extractvalue { i32, i1 } %tried, 1
  br i1 %first, label %make, label %loop
make:
  ret i32 1
loop:
  %now = load atomic i32, ptr %word acquire, align 4
  %not.yet = icmp eq i32 %now, 1
  br i1 %not.yet, label %loop, label %done
done:
  ret i32 0
}

define void @__cxa_guard_release(ptr %guard) {
  %word = getelementptr i8, ptr %guard, i64 4
  store atomic i8 1, ptr %guard release, align 1
  store atomic i32 2, ptr %word release, align 4
  ret void
}

; -- Results of threads: what std::future, std::promise and std::async share ------------------------------------------

; An object of a class that sets the address of its table of virtual functions itself; behind it stands its exception.
define void @_ZNSt13__future_base12_Result_baseC2Ev(ptr %result) {
  %error = getelementptr i8, ptr %result, i64 8
  store ptr null, ptr %error
  ret void
}

define void @_ZNSt13__future_base12_Result_baseD2Ev(ptr %result) {
  ret void
}

; A wait while a word has a value; with a limit on time it may end at once, and who waits looks once more.
define i1 @_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE(ptr %this, ptr %word, i32 %value, i1 %limited, i64 %seconds, i64 %nanoseconds) {
entry:
  br i1 %limited, label %over, label %loop
loop:
  %now = load atomic i32, ptr %word monotonic, align 4
  %same = icmp eq i32 %now, %value
  br i1 %same, label %loop, label %woken
woken:
  ret i1 true
over:
  ret i1 false
}

define i1 @_ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steadyEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE(ptr %this, ptr %word, i32 %value, i1 %limited, i64 %seconds, i64 %nanoseconds) {
  %woken = call i1 @_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE(ptr %this, ptr %word, i32 %value, i1 %limited, i64 %seconds, i64 %nanoseconds)
  ret i1 %woken
}

define void @_ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj(ptr %word) {
  ret void
}

; -- Hashes, and what is set up before main ------------------------------------------------------------------------

; std::hash leaves to it what it makes of bytes. Any function of them is one: this is the same for all.
define i64 @_ZSt11_Hash_bytesPKvmm(ptr %bytes, i64 %size, i64 %seed) {
  ret i64 0
}

; Streams print, which no thread sees.
define void @_ZNSt8ios_base4InitC1Ev(ptr %streams) {
  ret void
}

define void @_ZNSt8ios_base4InitD1Ev(ptr %streams) {
  ret void
}

; A program ends with main's return: what is to be called afterwards is not.
define i32 @__cxa_atexit(ptr %function, ptr %argument, ptr %library) {
  ret i32 0
}

define i32 @atexit(ptr %function) {
  ret i32 0
}

; -- Clocks -------------------------------------------------------------------------------------------------------

; libstdc++ asks them whether the limit of a wait is over.
declare i64 @enumerator.now()
declare void @enumerator.late()


define i64 @_ZNSt6chrono3_V212system_clock3nowEv() {
  %now = call i64 @enumerator.now()
  ret i64 %now
}

define i64 @_ZNSt6chrono3_V212steady_clock3nowEv() {
  %now = call i64 @enumerator.now()
  ret i64 %now
}

; -- Strings -------------------------------------------------------------------------------------------------------
; std::allocator<char> has no members (GCC's <bits/allocator.h>); unless clang optimizes, strings call what does nothing.

define void @_ZNSaIcEC1Ev(ptr %allocator) {
  ret void
}

define void @_ZNSaIcEC2Ev(ptr %allocator) {
  ret void
}

define void @_ZNSaIcEC1ERKS_(ptr %allocator, ptr %other) {
  ret void
}

define void @_ZNSaIcEC2ERKS_(ptr %allocator, ptr %other) {
  ret void
}

define void @_ZNSaIcED1Ev(ptr %allocator) {
  ret void
}

define void @_ZNSaIcED2Ev(ptr %allocator) {
  ret void
}
