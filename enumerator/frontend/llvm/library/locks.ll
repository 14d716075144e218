; What locks and their like do, in terms of atomic operations.
;
; Sources: POSIX.1-2017 (pthread_mutex_lock, pthread_spin_lock, pthread_rwlock_rdlock, pthread_cond_wait, pthread_once,
; pthread_barrier_wait, sem_wait; 4.12, Memory Synchronization); ISO C17, 7.26.
; What destroys an object makes it undef. EBUSY is 16.

; -- Mutexes -----------------------------------------------------------------------------------------------------
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

; With a limit on time, which is not modelled, the lock is taken or ETIMEDOUT, 110, returned: thrd_timedout is 4.
define i32 @pthread_mutex_timedlock(ptr %mutex, ptr %limit) {
  %tried = cmpxchg ptr %mutex, i32 0, i32 1 acquire monotonic
  %taken = extractvalue { i32, i1 } %tried, 1
  %result = select i1 %taken, i32 0, i32 110
  ret i32 %result
}

define i32 @pthread_mutex_clocklock(ptr %mutex, i32 %clock, ptr %limit) {
  %result = call i32 @pthread_mutex_timedlock(ptr %mutex, ptr %limit)
  ret i32 %result
}

define i32 @mtx_timedlock(ptr %mutex, ptr %limit) {
  %tried = cmpxchg ptr %mutex, i64 0, i64 1 acquire monotonic
  %taken = extractvalue { i64, i1 } %tried, 1
  %result = select i1 %taken, i32 0, i32 4
  ret i32 %result
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
; A thread goes on once it has read the last arrival of its round: where it reads a later one, of another round, there
; is the same execution with less order, as all that was known before its own arrival is known to the last one.

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

declare void @llvm.assume(i1)

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
  %exactly = icmp eq i64 %here, %full
  call void @llvm.assume(i1 %exactly)
  ret i32 0
}

; -- Spin locks --------------------------------------------------------------------------------------------------
; The word is 0 if the lock is free, 1 if it is held.

define i32 @pthread_spin_init(ptr %lock, i32 %shared) {
  store atomic i32 0, ptr %lock monotonic, align 4
  ret i32 0
}

define i32 @pthread_spin_destroy(ptr %lock) {
  store atomic i32 undef, ptr %lock monotonic, align 4
  ret i32 0
}

define i32 @pthread_spin_lock(ptr %lock) {
entry:
  br label %loop
loop:
  %tried = cmpxchg ptr %lock, i32 0, i32 1 acquire monotonic
  %taken = extractvalue { i32, i1 } %tried, 1
  br i1 %taken, label %done, label %loop
done:
  ret i32 0
}

define i32 @pthread_spin_trylock(ptr %lock) {
  %tried = cmpxchg ptr %lock, i32 0, i32 1 acquire monotonic
  %taken = extractvalue { i32, i1 } %tried, 1
  %result = select i1 %taken, i32 0, i32 16
  ret i32 %result
}

define i32 @pthread_spin_unlock(ptr %lock) {
  store atomic i32 0, ptr %lock release, align 4
  ret i32 0
}

; -- Locks of readers and writers --------------------------------------------------------------------------------
; The first word is the number of readers that hold the lock, -1 if a writer does. The second one is 1 while a writer
; does: it tells the one that unlocks what it is, and nobody else reads it then.

define i32 @pthread_rwlock_init(ptr %lock, ptr %attributes) {
  store atomic i32 0, ptr %lock monotonic, align 4
  %writer = getelementptr i8, ptr %lock, i64 4
  store atomic i32 0, ptr %writer monotonic, align 4
  ret i32 0
}

define i32 @pthread_rwlock_destroy(ptr %lock) {
  store atomic i32 undef, ptr %lock monotonic, align 4
  ret i32 0
}

define i32 @pthread_rwlock_rdlock(ptr %lock) {
entry:
  br label %loop
loop:
  %readers = load atomic i32, ptr %lock monotonic, align 4
  %written = icmp eq i32 %readers, -1
  br i1 %written, label %loop, label %try
try:
  %more = add i32 %readers, 1
  %tried = cmpxchg ptr %lock, i32 %readers, i32 %more acquire monotonic
  %taken = extractvalue { i32, i1 } %tried, 1
  br i1 %taken, label %done, label %loop
done:
  ret i32 0
}

define i32 @pthread_rwlock_tryrdlock(ptr %lock) {
entry:
  br label %loop
loop:
  %readers = load atomic i32, ptr %lock monotonic, align 4
  %written = icmp eq i32 %readers, -1
  br i1 %written, label %busy, label %try
try:
  %more = add i32 %readers, 1
  %tried = cmpxchg ptr %lock, i32 %readers, i32 %more acquire monotonic
  %taken = extractvalue { i32, i1 } %tried, 1
  br i1 %taken, label %done, label %loop
busy:
  ret i32 16
done:
  ret i32 0
}

define i32 @pthread_rwlock_wrlock(ptr %lock) {
entry:
  br label %loop
loop:
  %tried = cmpxchg ptr %lock, i32 0, i32 -1 acquire monotonic
  %taken = extractvalue { i32, i1 } %tried, 1
  br i1 %taken, label %done, label %loop
done:
  %writer = getelementptr i8, ptr %lock, i64 4
  store atomic i32 1, ptr %writer monotonic, align 4
  ret i32 0
}

define i32 @pthread_rwlock_trywrlock(ptr %lock) {
entry:
  %tried = cmpxchg ptr %lock, i32 0, i32 -1 acquire monotonic
  %taken = extractvalue { i32, i1 } %tried, 1
  br i1 %taken, label %done, label %busy
busy:
  ret i32 16
done:
  %writer = getelementptr i8, ptr %lock, i64 4
  store atomic i32 1, ptr %writer monotonic, align 4
  ret i32 0
}

define i32 @pthread_rwlock_unlock(ptr %lock) {
entry:
  %place = getelementptr i8, ptr %lock, i64 4
  %writer = load atomic i32, ptr %place monotonic, align 4
  %reads = icmp eq i32 %writer, 0
  br i1 %reads, label %reader, label %free
reader:
  %before = atomicrmw sub ptr %lock, i32 1 release
  ret i32 0
free:
  store atomic i32 0, ptr %place monotonic, align 4
  store atomic i32 0, ptr %lock release, align 4
  ret i32 0
}

; -- Semaphores --------------------------------------------------------------------------------------------------

define i32 @sem_init(ptr %semaphore, i32 %shared, i32 %value) {
  store atomic i32 %value, ptr %semaphore monotonic, align 4
  ret i32 0
}

define i32 @sem_destroy(ptr %semaphore) {
  store atomic i32 undef, ptr %semaphore monotonic, align 4
  ret i32 0
}

define i32 @sem_wait(ptr %semaphore) {
entry:
  br label %loop
loop:
  %value = load atomic i32, ptr %semaphore monotonic, align 4
  %none = icmp eq i32 %value, 0
  br i1 %none, label %loop, label %try
try:
  %less = sub i32 %value, 1
  %tried = cmpxchg ptr %semaphore, i32 %value, i32 %less acquire monotonic
  %taken = extractvalue { i32, i1 } %tried, 1
  br i1 %taken, label %done, label %loop
done:
  ret i32 0
}

define i32 @sem_trywait(ptr %semaphore) {
entry:
  br label %loop
loop:
  %value = load atomic i32, ptr %semaphore monotonic, align 4
  %none = icmp eq i32 %value, 0
  br i1 %none, label %busy, label %try
try:
  %less = sub i32 %value, 1
  %tried = cmpxchg ptr %semaphore, i32 %value, i32 %less acquire monotonic
  %taken = extractvalue { i32, i1 } %tried, 1
  br i1 %taken, label %done, label %loop
busy:
  ret i32 -1
done:
  ret i32 0
}

define i32 @sem_post(ptr %semaphore) {
  %before = atomicrmw add ptr %semaphore, i32 1 release
  ret i32 0
}

; -- Condition variables -----------------------------------------------------------------------------------------
; The first word counts signals. Each of them wakes all that wait, as POSIX allows; nobody wakes without one.

define i32 @pthread_cond_init(ptr %condition, ptr %attributes) {
  store atomic i32 0, ptr %condition monotonic, align 4
  ret i32 0
}

define i32 @pthread_cond_destroy(ptr %condition) {
  store atomic i32 undef, ptr %condition monotonic, align 4
  ret i32 0
}

define i32 @pthread_cond_signal(ptr %condition) {
  %before = atomicrmw add ptr %condition, i32 1 release
  ret i32 0
}

define i32 @pthread_cond_broadcast(ptr %condition) {
  %before = atomicrmw add ptr %condition, i32 1 release
  ret i32 0
}

define void @enumerator.woken(ptr %condition, i32 %before) {
entry:
  br label %loop
loop:
  %now = load atomic i32, ptr %condition acquire, align 4
  %same = icmp eq i32 %now, %before
  br i1 %same, label %loop, label %done
done:
  ret void
}

define i32 @pthread_cond_wait(ptr %condition, ptr %mutex) {
  %before = load atomic i32, ptr %condition monotonic, align 4
  %unlocked = call i32 @pthread_mutex_unlock(ptr %mutex)
  call void @enumerator.woken(ptr %condition, i32 %before)
  %locked = call i32 @pthread_mutex_lock(ptr %mutex)
  ret i32 0
}

; Time is not modelled: a wait with a limit may end with it at any point, or never. ETIMEDOUT is 110; thrd_timedout is 4.
define i32 @pthread_cond_timedwait(ptr %condition, ptr %mutex, ptr %limit) {
entry:
  %before = load atomic i32, ptr %condition monotonic, align 4
  %unlocked = call i32 @pthread_mutex_unlock(ptr %mutex)
  %now = load atomic i32, ptr %condition acquire, align 4
  %same = icmp eq i32 %now, %before
  %result = select i1 %same, i32 110, i32 0
  %locked = call i32 @pthread_mutex_lock(ptr %mutex)
  ret i32 %result
}

; libstdc++ calls this one, and asks a clock.
define i32 @pthread_cond_clockwait(ptr %condition, ptr %mutex, i32 %clock, ptr %limit) {
  %result = call i32 @pthread_cond_timedwait(ptr %condition, ptr %mutex, ptr %limit)
  %woken = icmp eq i32 %result, 0
  br i1 %woken, label %done, label %late
late:
  call void @enumerator.late()
  br label %done
done:
  ret i32 %result
}

define i32 @cnd_timedwait(ptr %condition, ptr %mutex, ptr %limit) {
entry:
  %before = load atomic i32, ptr %condition monotonic, align 4
  %unlocked = call i32 @mtx_unlock(ptr %mutex)
  %now = load atomic i32, ptr %condition acquire, align 4
  %same = icmp eq i32 %now, %before
  %result = select i1 %same, i32 4, i32 0
  %locked = call i32 @mtx_lock(ptr %mutex)
  ret i32 %result
}

define i32 @cnd_init(ptr %condition) {
  store atomic i32 0, ptr %condition monotonic, align 4
  ret i32 0
}

define void @cnd_destroy(ptr %condition) {
  store atomic i32 undef, ptr %condition monotonic, align 4
  ret void
}

define i32 @cnd_signal(ptr %condition) {
  %before = atomicrmw add ptr %condition, i32 1 release
  ret i32 0
}

define i32 @cnd_broadcast(ptr %condition) {
  %before = atomicrmw add ptr %condition, i32 1 release
  ret i32 0
}

define i32 @cnd_wait(ptr %condition, ptr %mutex) {
  %before = load atomic i32, ptr %condition monotonic, align 4
  %unlocked = call i32 @mtx_unlock(ptr %mutex)
  call void @enumerator.woken(ptr %condition, i32 %before)
  %locked = call i32 @mtx_lock(ptr %mutex)
  ret i32 0
}

; -- What is done once -------------------------------------------------------------------------------------------
; The word is 0 before, 1 while it is done, 2 afterwards.

define void @call_once(ptr %control, ptr %function) {
entry:
  %tried = cmpxchg ptr %control, i32 0, i32 1 acquire acquire
  %first = extractvalue { i32, i1 } %tried, 1
  br i1 %first, label %do, label %loop
do:
  call void %function()
  store atomic i32 2, ptr %control release, align 4
  br label %done
loop:
  %now = load atomic i32, ptr %control acquire, align 4
  %not.yet = icmp eq i32 %now, 1
  br i1 %not.yet, label %loop, label %done
done:
  ret void
}

define i32 @pthread_once(ptr %control, ptr %function) {
  call void @call_once(ptr %control, ptr %function)
  ret i32 0
}
