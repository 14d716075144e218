; Attributes of what threads share: those that change what a program does, and those that do not.
;
; Sources: POSIX.1-2017 (pthread_mutexattr_settype, pthread_attr_init, pthread_condattr_setclock and their like).
; The first word of attributes of a mutex is its type, as a mutex has it (locks.ll). All others say where a thread runs,
; how large its stack is, which processes share an object, or which clock is asked: nothing of that is modelled.

define i32 @pthread_mutexattr_init(ptr %attributes) {
  store i32 0, ptr %attributes
  ret i32 0
}

define i32 @pthread_mutexattr_destroy(ptr %attributes) {
  store i32 undef, ptr %attributes
  ret i32 0
}

define i32 @pthread_mutexattr_settype(ptr %attributes, i32 %type) {
  store i32 %type, ptr %attributes
  ret i32 0
}

define i32 @pthread_mutexattr_gettype(ptr %attributes, ptr %to) {
  %type = load i32, ptr %attributes
  store i32 %type, ptr %to
  ret i32 0
}

define i32 @pthread_mutexattr_setpshared(ptr %attributes, i32 %shared) {
  ret i32 0
}

define i32 @pthread_mutexattr_setprotocol(ptr %attributes, i32 %protocol) {
  ret i32 0
}

define i32 @pthread_attr_init(ptr %attributes) {
  ret i32 0
}

define i32 @pthread_attr_destroy(ptr %attributes) {
  ret i32 0
}

define i32 @pthread_attr_setdetachstate(ptr %attributes, i32 %state) {
  ret i32 0
}

define i32 @pthread_attr_setstacksize(ptr %attributes, i64 %size) {
  ret i32 0
}

define i32 @pthread_attr_setguardsize(ptr %attributes, i64 %size) {
  ret i32 0
}

define i32 @pthread_attr_setscope(ptr %attributes, i32 %scope) {
  ret i32 0
}

define i32 @pthread_attr_setinheritsched(ptr %attributes, i32 %inherits) {
  ret i32 0
}

define i32 @pthread_attr_setschedpolicy(ptr %attributes, i32 %policy) {
  ret i32 0
}

define i32 @pthread_attr_setschedparam(ptr %attributes, ptr %parameters) {
  ret i32 0
}

define i32 @pthread_attr_setaffinity_np(ptr %attributes, i64 %size, ptr %processors) {
  ret i32 0
}

define i32 @pthread_condattr_init(ptr %attributes) {
  ret i32 0
}

define i32 @pthread_condattr_destroy(ptr %attributes) {
  ret i32 0
}

define i32 @pthread_condattr_setclock(ptr %attributes, i32 %clock) {
  ret i32 0
}

define i32 @pthread_condattr_setpshared(ptr %attributes, i32 %shared) {
  ret i32 0
}

define i32 @pthread_rwlockattr_init(ptr %attributes) {
  ret i32 0
}

define i32 @pthread_rwlockattr_destroy(ptr %attributes) {
  ret i32 0
}

define i32 @pthread_rwlockattr_setpshared(ptr %attributes, i32 %shared) {
  ret i32 0
}

define i32 @pthread_rwlockattr_setkind_np(ptr %attributes, i32 %kind) {
  ret i32 0
}

define i32 @pthread_barrierattr_init(ptr %attributes) {
  ret i32 0
}

define i32 @pthread_barrierattr_destroy(ptr %attributes) {
  ret i32 0
}

define i32 @pthread_barrierattr_setpshared(ptr %attributes, i32 %shared) {
  ret i32 0
}

define i32 @pthread_setname_np(i64 %thread, ptr %name) {
  ret i32 0
}

define i32 @pthread_setaffinity_np(i64 %thread, i64 %size, ptr %processors) {
  ret i32 0
}

define i32 @pthread_setschedparam(i64 %thread, i32 %policy, ptr %parameters) {
  ret i32 0
}

define i32 @pthread_setconcurrency(i32 %level) {
  ret i32 0
}

define i32 @sched_setaffinity(i32 %process, i64 %size, ptr %processors) {
  ret i32 0
}
