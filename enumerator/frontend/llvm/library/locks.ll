; What locks and their like do, in terms of atomic operations.
;
; Sources: POSIX.1-2017 (pthread_mutex_lock, pthread_spin_lock, pthread_rwlock_rdlock, pthread_cond_wait, pthread_once,
; pthread_barrier_wait, sem_wait; 4.12, Memory Synchronization); ISO C17, 7.26.
; What destroys an object makes it undef. EINVAL is 22, EBUSY 16, EDEADLK 35, EPERM 1. Which locks a thread holds, and how often, is known
; without a look at memory (enumerator.take, .give, .held); to unlock another one is undefined, and so is to destroy one
; that is held, or a barrier at which threads wait, and to initialize a barrier twice.

declare i32 @enumerator.take(ptr)
declare i32 @enumerator.give(ptr)
declare i32 @enumerator.held(ptr)
declare i32 @enumerator.meet(ptr)
declare i32 @enumerator.place(ptr)
declare void @enumerator.misused.lock(i1)
declare void @enumerator.misused.barrier(i1)

; -- Mutexes -----------------------------------------------------------------------------------------------------
; The first word of a mutex is 0 if it is free, 1 if it is held; that of one that has been destroyed is undef.
; All stores are atomic: under LLVM's rules a read that may see a plain store and another one is undef.
; The word at 16 is the type of a mutex of glibc: 1 if its holder may lock it again, 2 if it is told of mistakes. Who locks
; another one again waits for ever.

; What locking gives who holds the mutex: 0 if it is taken again, EDEADLK; -1 in other cases.
define i32 @enumerator.taken.again(ptr %mutex) {
entry:
  %times = call i32 @enumerator.held(ptr %mutex)
  %free = icmp eq i32 %times, 0
  br i1 %free, label %no, label %look
look:
  %place = getelementptr i8, ptr %mutex, i64 16
  %type = load i32, ptr %place
  %kind = and i32 %type, 127
  switch i32 %kind, label %no [
    i32 1, label %yes
    i32 2, label %checked
  ]
yes:
  %before = call i32 @enumerator.take(ptr %mutex)
  ret i32 0
checked:
  ret i32 35
no:
  ret i32 -1
}

define i1 @enumerator.given(ptr %lock) {
  %times = call i32 @enumerator.give(ptr %lock)
  %none = icmp eq i32 %times, 0
  call void @enumerator.misused.lock(i1 %none)
  %last = icmp eq i32 %times, 1
  ret i1 %last
}

define void @enumerator.gone(ptr %lock) {
  %tried = cmpxchg ptr %lock, i32 0, i32 undef monotonic monotonic
  %free = extractvalue { i32, i1 } %tried, 1
  %held = xor i1 %free, true
  call void @enumerator.misused.lock(i1 %held)
  ret void
}

define i32 @pthread_mutex_init(ptr %mutex, ptr %attributes) {
entry:
  store atomic i32 0, ptr %mutex monotonic, align 4
  %none = icmp eq ptr %attributes, null
  br i1 %none, label %done, label %typed
typed:
  %type = load i32, ptr %attributes
  %place = getelementptr i8, ptr %mutex, i64 16
  store i32 %type, ptr %place
  br label %done
done:
  ret i32 0
}

define i32 @pthread_mutex_destroy(ptr %mutex) {
  call void @enumerator.gone(ptr %mutex)
  ret i32 0
}

define i32 @pthread_mutex_lock(ptr %mutex) {
entry:
  %again = call i32 @enumerator.taken.again(ptr %mutex)
  %told = icmp sge i32 %again, 0
  br i1 %told, label %done, label %loop
loop:
  %tried = cmpxchg ptr %mutex, i32 0, i32 1 acquire monotonic
  %taken = extractvalue { i32, i1 } %tried, 1
  br i1 %taken, label %take, label %loop
take:
  %before = call i32 @enumerator.take(ptr %mutex)
  br label %done
done:
  %result = phi i32 [ %again, %entry ], [ 0, %take ]
  ret i32 %result
}

define i32 @pthread_mutex_trylock(ptr %mutex) {
entry:
  %again = call i32 @enumerator.taken.again(ptr %mutex)
  %taken.again = icmp eq i32 %again, 0
  br i1 %taken.again, label %done, label %try
try:
  %tried = cmpxchg ptr %mutex, i32 0, i32 1 acquire monotonic
  %taken = extractvalue { i32, i1 } %tried, 1
  br i1 %taken, label %take, label %busy
take:
  %before = call i32 @enumerator.take(ptr %mutex)
  br label %done
busy:
  ret i32 16
done:
  ret i32 0
}

define i32 @pthread_mutex_unlock(ptr %mutex) {
entry:
  %times = call i32 @enumerator.held(ptr %mutex)
  %none = icmp eq i32 %times, 0
  br i1 %none, label %look, label %give
look:
  %place = getelementptr i8, ptr %mutex, i64 16
  %type = load i32, ptr %place
  %kind = and i32 %type, 127
  %checked = icmp eq i32 %kind, 2
  br i1 %checked, label %refused, label %give
refused:
  ret i32 1
give:
  %last = call i1 @enumerator.given(ptr %mutex)
  br i1 %last, label %free, label %done
free:
  store atomic i32 0, ptr %mutex release, align 4
  br label %done
done:
  ret i32 0
}

; With a limit on time, which is not modelled, the lock is taken or ETIMEDOUT, 110, returned: thrd_timedout is 4.
define i32 @pthread_mutex_timedlock(ptr %mutex, ptr %limit) {
entry:
  %again = call i32 @enumerator.taken.again(ptr %mutex)
  %told = icmp sge i32 %again, 0
  br i1 %told, label %done, label %try
try:
  %tried = cmpxchg ptr %mutex, i32 0, i32 1 acquire monotonic
  %taken = extractvalue { i32, i1 } %tried, 1
  br i1 %taken, label %take, label %busy
take:
  %before = call i32 @enumerator.take(ptr %mutex)
  br label %done
busy:
  ret i32 110
done:
  %result = phi i32 [ %again, %entry ], [ 0, %take ]
  ret i32 %result
}

define i32 @pthread_mutex_clocklock(ptr %mutex, i32 %clock, ptr %limit) {
  %result = call i32 @pthread_mutex_timedlock(ptr %mutex, ptr %limit)
  ret i32 %result
}

define i32 @mtx_timedlock(ptr %mutex, ptr %limit) {
entry:
  %again = call i32 @enumerator.taken.again(ptr %mutex)
  %taken.again = icmp eq i32 %again, 0
  br i1 %taken.again, label %done, label %try
try:
  %tried = cmpxchg ptr %mutex, i64 0, i64 1 acquire monotonic
  %taken = extractvalue { i64, i1 } %tried, 1
  br i1 %taken, label %take, label %busy
take:
  %before = call i32 @enumerator.take(ptr %mutex)
  br label %done
busy:
  ret i32 4
done:
  ret i32 0
}

; mtx_t of glibc begins with a long. mtx_plain is 0, mtx_recursive 1; thrd_success is 0, thrd_busy 1.
define i32 @mtx_init(ptr %mutex, i32 %type) {
entry:
  store atomic i64 0, ptr %mutex monotonic, align 8
  %recursive = and i32 %type, 1
  %plain = icmp eq i32 %recursive, 0
  br i1 %plain, label %done, label %set
set:
  %place = getelementptr i8, ptr %mutex, i64 16
  store i32 1, ptr %place
  br label %done
done:
  ret i32 0
}

define void @mtx_destroy(ptr %mutex) {
  %tried = cmpxchg ptr %mutex, i64 0, i64 undef monotonic monotonic
  %free = extractvalue { i64, i1 } %tried, 1
  %held = xor i1 %free, true
  call void @enumerator.misused.lock(i1 %held)
  ret void
}

define i32 @mtx_lock(ptr %mutex) {
entry:
  %again = call i32 @enumerator.taken.again(ptr %mutex)
  %taken.again = icmp eq i32 %again, 0
  br i1 %taken.again, label %done, label %loop
loop:
  %tried = cmpxchg ptr %mutex, i64 0, i64 1 acquire monotonic
  %taken = extractvalue { i64, i1 } %tried, 1
  br i1 %taken, label %take, label %loop
take:
  %before = call i32 @enumerator.take(ptr %mutex)
  br label %done
done:
  ret i32 0
}

define i32 @mtx_trylock(ptr %mutex) {
entry:
  %again = call i32 @enumerator.taken.again(ptr %mutex)
  %taken.again = icmp eq i32 %again, 0
  br i1 %taken.again, label %done, label %try
try:
  %tried = cmpxchg ptr %mutex, i64 0, i64 1 acquire monotonic
  %taken = extractvalue { i64, i1 } %tried, 1
  br i1 %taken, label %take, label %busy
take:
  %before = call i32 @enumerator.take(ptr %mutex)
  br label %done
busy:
  ret i32 1
done:
  ret i32 0
}

define i32 @mtx_unlock(ptr %mutex) {
entry:
  %last = call i1 @enumerator.given(ptr %mutex)
  br i1 %last, label %free, label %done
free:
  store atomic i64 0, ptr %mutex release, align 8
  br label %done
done:
  ret i32 0
}

; -- Barriers ----------------------------------------------------------------------------------------------------
; The first word is how many threads meet, or 0 for a barrier that has been destroyed, as it may be for one that has never
; been initialized; the second word is how many have arrived so far, or -1 for one that has been destroyed.
; One of the threads that meet is told PTHREAD_BARRIER_SERIAL_THREAD, which is -1.
; A thread goes on once it has read the last arrival of its round: where it reads a later one, of another round, there
; is the same execution with less order, as all that was known before its own arrival is known to the last one.
;
; If as many threads may come to a barrier as it is for (enumerator.meet), and it does not matter which is the last one,
; nobody counts: each has two bytes from the third word on, for even and odd rounds. It writes there which of its rounds
; this is, and waits until all others have. None can come to the round after the next before that.

define i1 @enumerator.meets(ptr %barrier, i64 %count) {
entry:
  %may.come = call i32 @enumerator.meet(ptr %barrier)
  %more.than.none = sub i32 %may.come, 1
  %have.room = icmp ult i32 %more.than.none, 8
  br i1 %have.room, label %look, label %no
look:
  %wide = zext i32 %may.come to i64
  %same = icmp eq i64 %count, %wide
  br i1 %same, label %yes, label %no
yes:
  ret i1 true
no:
  ret i1 false
}

define i32 @pthread_barrier_init(ptr %barrier, ptr %attributes, i32 %count) {
entry:
  %nobody = icmp eq i32 %count, 0
  br i1 %nobody, label %invalid, label %init
init:
  %wide = zext i32 %count to i64
  %before = atomicrmw xchg ptr %barrier, i64 %wide monotonic
  %there = icmp ne i64 %before, 0
  call void @enumerator.misused.barrier(i1 %there)
  %meets = call i1 @enumerator.meets(ptr %barrier, i64 %wide)
  br i1 %meets, label %each, label %counted
counted:
  %arrivals = getelementptr i8, ptr %barrier, i64 8
  store atomic i64 0, ptr %arrivals monotonic, align 8
  br label %done
each:
  %place = phi i32 [ 0, %init ], [ %next, %each ]
  %from = add i32 %place, 16
  %to = getelementptr i8, ptr %barrier, i32 %from
  store atomic i8 0, ptr %to monotonic, align 1
  %next = add i32 %place, 1
  %end = add i32 %count, %count
  %more = icmp ult i32 %next, %end
  br i1 %more, label %each, label %done
done:
  ret i32 0
invalid:
  ret i32 22
}

define i32 @pthread_barrier_destroy(ptr %barrier) {
entry:
  %count = atomicrmw xchg ptr %barrier, i64 0 monotonic
  %absent = icmp eq i64 %count, 0
  br i1 %absent, label %wrong, label %look
look:
  %meets = call i1 @enumerator.meets(ptr %barrier, i64 %count)
  br i1 %meets, label %meet, label %counted
counted:
  %arrivals = getelementptr i8, ptr %barrier, i64 8
  %arrived = atomicrmw xchg ptr %arrivals, i64 -1 monotonic
  %waiting = urem i64 %arrived, %count
  %some = icmp ne i64 %waiting, 0
  call void @enumerator.misused.barrier(i1 %some)
  ret i32 0
meet:
  %may.come = call i32 @enumerator.meet(ptr %barrier)
  br label %each
each:
  %place = phi i32 [ 0, %meet ], [ %next, %each ]
  %first = phi i8 [ 0, %meet ], [ %as.first, %each ]
  %offset = shl i32 %place, 1
  %from = add i32 %offset, 16
  %even = getelementptr i8, ptr %barrier, i32 %from
  %odd = getelementptr i8, ptr %even, i32 1
  %a = load atomic i8, ptr %even monotonic, align 1
  %b = load atomic i8, ptr %odd monotonic, align 1
  %rounds = add i8 %a, %b
  %is.first = icmp eq i32 %place, 0
  %as.first = select i1 %is.first, i8 %rounds, i8 %first
  %others = icmp ne i8 %rounds, %as.first
  call void @enumerator.misused.barrier(i1 %others)
  %next = add i32 %place, 1
  %more = icmp ult i32 %next, %may.come
  br i1 %more, label %each, label %done
done:
  ret i32 0
wrong:
  call void @enumerator.misused.barrier(i1 true)
  unreachable
}

declare void @enumerator.await(i1)

define i32 @pthread_barrier_wait(ptr %barrier) {
entry:
  %count = load atomic i64, ptr %barrier monotonic, align 8
  %absent = icmp eq i64 %count, 0
  br i1 %absent, label %wrong, label %look
look:
  %meets = call i1 @enumerator.meets(ptr %barrier, i64 %count)
  br i1 %meets, label %meet, label %arrive
meet:
  call void @enumerator.arrive(ptr %barrier)
  ret i32 0
arrive:
  %arrivals = getelementptr i8, ptr %barrier, i64 8
  %arrived = atomicrmw add ptr %arrivals, i64 1 acq_rel
  %gone = icmp eq i64 %arrived, -1
  br i1 %gone, label %wrong, label %stay
stay:
  %round = udiv i64 %arrived, %count
  %next = add i64 %round, 1
  %full = mul i64 %next, %count
  %last = sub i64 %full, 1
  %is.last = icmp eq i64 %arrived, %last
  br i1 %is.last, label %serial, label %loop
loop:
  %here = load atomic i64, ptr %arrivals acquire, align 8
  %missing = sub i64 %full, %here
  %waits = icmp ult i64 %missing, %count
  %all = icmp eq i64 %missing, 0
  br i1 %all, label %done, label %more
more:
  call void @enumerator.await(i1 %waits)
  br label %loop
serial:
  ret i32 -1
done:
  ret i32 0
wrong:
  call void @enumerator.misused.barrier(i1 true)
  unreachable
}

define void @enumerator.arrive(ptr %barrier) {
entry:
  %slots = getelementptr i8, ptr %barrier, i64 16
  %before = call i32 @enumerator.take(ptr %slots)
  %number = add i32 %before, 1
  %round = trunc i32 %number to i8
  %half = and i32 %before, 1
  %same.half = getelementptr i8, ptr %slots, i32 %half
  %may.come = call i32 @enumerator.meet(ptr %barrier)
  %own = call i32 @enumerator.place(ptr %barrier)
  %own.offset = shl i32 %own, 1
  %own.slot = getelementptr i8, ptr %same.half, i32 %own.offset
  store atomic i8 %round, ptr %own.slot release, align 1
  br label %each
each:
  %place = phi i32 [ 0, %entry ], [ %next, %there ]
  %is.own = icmp eq i32 %place, %own
  %offset = shl i32 %place, 1
  %slot = getelementptr i8, ptr %same.half, i32 %offset
  br i1 %is.own, label %there, label %loop
loop:
  %said = load atomic i8, ptr %slot acquire, align 1
  %here = icmp eq i8 %said, %round
  br i1 %here, label %there, label %loop
there:
  %next = add i32 %place, 1
  %more = icmp ult i32 %next, %may.come
  br i1 %more, label %each, label %done
done:
  ret void
}

; -- Spin locks --------------------------------------------------------------------------------------------------
; The word is 0 if the lock is free, 1 if it is held.

define i32 @pthread_spin_init(ptr %lock, i32 %shared) {
  store atomic i32 0, ptr %lock monotonic, align 4
  ret i32 0
}

define i32 @pthread_spin_destroy(ptr %lock) {
  call void @enumerator.gone(ptr %lock)
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
  %times = call i32 @enumerator.take(ptr %lock)
  ret i32 0
}

define i32 @pthread_spin_trylock(ptr %lock) {
entry:
  %tried = cmpxchg ptr %lock, i32 0, i32 1 acquire monotonic
  %taken = extractvalue { i32, i1 } %tried, 1
  br i1 %taken, label %done, label %busy
busy:
  ret i32 16
done:
  %times = call i32 @enumerator.take(ptr %lock)
  ret i32 0
}

define i32 @pthread_spin_unlock(ptr %lock) {
  %last = call i1 @enumerator.given(ptr %lock)
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
  call void @enumerator.gone(ptr %lock)
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
  %times = call i32 @enumerator.take(ptr %lock)
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
  %times = call i32 @enumerator.take(ptr %lock)
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
  %times = call i32 @enumerator.take(ptr %lock)
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
  %times = call i32 @enumerator.take(ptr %lock)
  %writer = getelementptr i8, ptr %lock, i64 4
  store atomic i32 1, ptr %writer monotonic, align 4
  ret i32 0
}

define i32 @pthread_rwlock_unlock(ptr %lock) {
entry:
  %last = call i1 @enumerator.given(ptr %lock)
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

; With a limit on time the lock is taken or ETIMEDOUT, 110, returned where EBUSY is without waiting.
define i32 @pthread_rwlock_timedrdlock(ptr %lock, ptr %limit) {
  %tried = call i32 @pthread_rwlock_tryrdlock(ptr %lock)
  %busy = icmp eq i32 %tried, 16
  %result = select i1 %busy, i32 110, i32 %tried
  ret i32 %result
}

define i32 @pthread_rwlock_clockrdlock(ptr %lock, i32 %clock, ptr %limit) {
  %result = call i32 @pthread_rwlock_timedrdlock(ptr %lock, ptr %limit)
  ret i32 %result
}

define i32 @pthread_rwlock_timedwrlock(ptr %lock, ptr %limit) {
  %tried = call i32 @pthread_rwlock_trywrlock(ptr %lock)
  %busy = icmp eq i32 %tried, 16
  %result = select i1 %busy, i32 110, i32 %tried
  ret i32 %result
}

define i32 @pthread_rwlock_clockwrlock(ptr %lock, i32 %clock, ptr %limit) {
  %result = call i32 @pthread_rwlock_timedwrlock(ptr %lock, ptr %limit)
  ret i32 %result
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
  %error = call ptr @llvm.threadlocal.address.p0(ptr @enumerator.errno)
  store i32 11, ptr %error
  ret i32 -1
done:
  ret i32 0
}

; It is taken, or the limit on time has passed: EAGAIN is 11, ETIMEDOUT 110.
define i32 @sem_timedwait(ptr %semaphore, ptr %limit) {
entry:
  br label %loop
loop:
  %value = load atomic i32, ptr %semaphore monotonic, align 4
  %none = icmp eq i32 %value, 0
  br i1 %none, label %late, label %try
try:
  %less = sub i32 %value, 1
  %tried = cmpxchg ptr %semaphore, i32 %value, i32 %less acquire monotonic
  %taken = extractvalue { i32, i1 } %tried, 1
  br i1 %taken, label %done, label %loop
late:
  %error = call ptr @llvm.threadlocal.address.p0(ptr @enumerator.errno)
  store i32 110, ptr %error
  ret i32 -1
done:
  ret i32 0
}

define i32 @sem_clockwait(ptr %semaphore, i32 %clock, ptr %limit) {
  %result = call i32 @sem_timedwait(ptr %semaphore, ptr %limit)
  ret i32 %result
}

define i32 @sem_getvalue(ptr %semaphore, ptr %to) {
  %value = load atomic i32, ptr %semaphore monotonic, align 4
  store i32 %value, ptr %to
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
