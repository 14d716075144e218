; Exceptions of the C++ library: what makes and destroys them, and what they say.
;
; Sources: ISO C++20, 17.9.3 and 19.2; GCC's <exception> and <stdexcept>: an object begins with the address of its table
; of virtual functions, which are two destructors and what(), and the address of its message follows.

@enumerator.exception = constant [3 x ptr] [ptr @_ZNSt9exceptionD1Ev, ptr @_ZNSt9exceptionD1Ev, ptr @_ZNKSt9exception4whatEv]
@enumerator.message = constant [3 x ptr] [ptr @_ZNSt9exceptionD1Ev, ptr @_ZNSt9exceptionD1Ev, ptr @_ZNKSt13runtime_error4whatEv]
@enumerator.unsaid = constant [15 x i8] c"std::exception\00"

define ptr @_ZNKSt9exception4whatEv(ptr %exception) {
  ret ptr @enumerator.unsaid
}

define ptr @_ZNKSt11logic_error4whatEv(ptr %exception) {
  %place = getelementptr i8, ptr %exception, i64 8
  %message = load ptr, ptr %place
  ret ptr %message
}

define ptr @_ZNKSt13runtime_error4whatEv(ptr %exception) {
  %place = getelementptr i8, ptr %exception, i64 8
  %message = load ptr, ptr %place
  ret ptr %message
}

define void @_ZNSt11logic_errorC1EPKc(ptr %exception, ptr %message) {
  store ptr @enumerator.message, ptr %exception
  %place = getelementptr i8, ptr %exception, i64 8
  store ptr %message, ptr %place
  ret void
}

define void @_ZNSt12domain_errorC1EPKc(ptr %exception, ptr %message) {
  store ptr @enumerator.message, ptr %exception
  %place = getelementptr i8, ptr %exception, i64 8
  store ptr %message, ptr %place
  ret void
}

define void @_ZNSt16invalid_argumentC1EPKc(ptr %exception, ptr %message) {
  store ptr @enumerator.message, ptr %exception
  %place = getelementptr i8, ptr %exception, i64 8
  store ptr %message, ptr %place
  ret void
}

define void @_ZNSt12length_errorC1EPKc(ptr %exception, ptr %message) {
  store ptr @enumerator.message, ptr %exception
  %place = getelementptr i8, ptr %exception, i64 8
  store ptr %message, ptr %place
  ret void
}

define void @_ZNSt12out_of_rangeC1EPKc(ptr %exception, ptr %message) {
  store ptr @enumerator.message, ptr %exception
  %place = getelementptr i8, ptr %exception, i64 8
  store ptr %message, ptr %place
  ret void
}

define void @_ZNSt13runtime_errorC1EPKc(ptr %exception, ptr %message) {
  store ptr @enumerator.message, ptr %exception
  %place = getelementptr i8, ptr %exception, i64 8
  store ptr %message, ptr %place
  ret void
}

define void @_ZNSt11range_errorC1EPKc(ptr %exception, ptr %message) {
  store ptr @enumerator.message, ptr %exception
  %place = getelementptr i8, ptr %exception, i64 8
  store ptr %message, ptr %place
  ret void
}

define void @_ZNSt14overflow_errorC1EPKc(ptr %exception, ptr %message) {
  store ptr @enumerator.message, ptr %exception
  %place = getelementptr i8, ptr %exception, i64 8
  store ptr %message, ptr %place
  ret void
}

define void @_ZNSt15underflow_errorC1EPKc(ptr %exception, ptr %message) {
  store ptr @enumerator.message, ptr %exception
  %place = getelementptr i8, ptr %exception, i64 8
  store ptr %message, ptr %place
  ret void
}

define void @_ZNSt11logic_errorC2EPKc(ptr %exception, ptr %message) {
  store ptr @enumerator.message, ptr %exception
  %place = getelementptr i8, ptr %exception, i64 8
  store ptr %message, ptr %place
  ret void
}

define void @_ZNSt12domain_errorC2EPKc(ptr %exception, ptr %message) {
  store ptr @enumerator.message, ptr %exception
  %place = getelementptr i8, ptr %exception, i64 8
  store ptr %message, ptr %place
  ret void
}

define void @_ZNSt16invalid_argumentC2EPKc(ptr %exception, ptr %message) {
  store ptr @enumerator.message, ptr %exception
  %place = getelementptr i8, ptr %exception, i64 8
  store ptr %message, ptr %place
  ret void
}

define void @_ZNSt12length_errorC2EPKc(ptr %exception, ptr %message) {
  store ptr @enumerator.message, ptr %exception
  %place = getelementptr i8, ptr %exception, i64 8
  store ptr %message, ptr %place
  ret void
}

define void @_ZNSt12out_of_rangeC2EPKc(ptr %exception, ptr %message) {
  store ptr @enumerator.message, ptr %exception
  %place = getelementptr i8, ptr %exception, i64 8
  store ptr %message, ptr %place
  ret void
}

define void @_ZNSt13runtime_errorC2EPKc(ptr %exception, ptr %message) {
  store ptr @enumerator.message, ptr %exception
  %place = getelementptr i8, ptr %exception, i64 8
  store ptr %message, ptr %place
  ret void
}

define void @_ZNSt11range_errorC2EPKc(ptr %exception, ptr %message) {
  store ptr @enumerator.message, ptr %exception
  %place = getelementptr i8, ptr %exception, i64 8
  store ptr %message, ptr %place
  ret void
}

define void @_ZNSt14overflow_errorC2EPKc(ptr %exception, ptr %message) {
  store ptr @enumerator.message, ptr %exception
  %place = getelementptr i8, ptr %exception, i64 8
  store ptr %message, ptr %place
  ret void
}

define void @_ZNSt15underflow_errorC2EPKc(ptr %exception, ptr %message) {
  store ptr @enumerator.message, ptr %exception
  %place = getelementptr i8, ptr %exception, i64 8
  store ptr %message, ptr %place
  ret void
}

define void @_ZNSt9bad_allocC1EPKc(ptr %exception, ptr %unused) {
  store ptr @enumerator.exception, ptr %exception
  ret void
}

define void @_ZNSt8bad_castC1EPKc(ptr %exception, ptr %unused) {
  store ptr @enumerator.exception, ptr %exception
  ret void
}

define void @_ZNSt17bad_function_callC1EPKc(ptr %exception, ptr %unused) {
  store ptr @enumerator.exception, ptr %exception
  ret void
}

define void @_ZNSt12bad_weak_ptrC1EPKc(ptr %exception, ptr %unused) {
  store ptr @enumerator.exception, ptr %exception
  ret void
}

define void @_ZNSt19bad_optional_accessC1EPKc(ptr %exception, ptr %unused) {
  store ptr @enumerator.exception, ptr %exception
  ret void
}

define void @_ZNSt20bad_array_new_lengthC1EPKc(ptr %exception, ptr %unused) {
  store ptr @enumerator.exception, ptr %exception
  ret void
}

; Behind the message stand a number and its category, which is not covered.
define void @enumerator.throws.number(ptr %exception, i32 %number) {
  store ptr @enumerator.message, ptr %exception
  %place = getelementptr i8, ptr %exception, i64 8
  store ptr @enumerator.unsaid, ptr %place
  %code = getelementptr i8, ptr %exception, i64 16
  store i32 %number, ptr %code
  ret void
}

; Their memory is that of the exception.

define void @_ZNSt9exceptionD1Ev(ptr %exception) {
  ret void
}

define void @_ZNSt9exceptionD2Ev(ptr %exception) {
  ret void
}

define void @_ZNSt11logic_errorD1Ev(ptr %exception) {
  ret void
}

define void @_ZNSt11logic_errorD2Ev(ptr %exception) {
  ret void
}

define void @_ZNSt12domain_errorD1Ev(ptr %exception) {
  ret void
}

define void @_ZNSt12domain_errorD2Ev(ptr %exception) {
  ret void
}

define void @_ZNSt16invalid_argumentD1Ev(ptr %exception) {
  ret void
}

define void @_ZNSt16invalid_argumentD2Ev(ptr %exception) {
  ret void
}

define void @_ZNSt12length_errorD1Ev(ptr %exception) {
  ret void
}

define void @_ZNSt12length_errorD2Ev(ptr %exception) {
  ret void
}

define void @_ZNSt12out_of_rangeD1Ev(ptr %exception) {
  ret void
}

define void @_ZNSt12out_of_rangeD2Ev(ptr %exception) {
  ret void
}

define void @_ZNSt13runtime_errorD1Ev(ptr %exception) {
  ret void
}

define void @_ZNSt13runtime_errorD2Ev(ptr %exception) {
  ret void
}

define void @_ZNSt11range_errorD1Ev(ptr %exception) {
  ret void
}

define void @_ZNSt11range_errorD2Ev(ptr %exception) {
  ret void
}

define void @_ZNSt14overflow_errorD1Ev(ptr %exception) {
  ret void
}

define void @_ZNSt14overflow_errorD2Ev(ptr %exception) {
  ret void
}

define void @_ZNSt15underflow_errorD1Ev(ptr %exception) {
  ret void
}

define void @_ZNSt15underflow_errorD2Ev(ptr %exception) {
  ret void
}

define void @_ZNSt9bad_allocD1Ev(ptr %exception) {
  ret void
}

define void @_ZNSt9bad_allocD2Ev(ptr %exception) {
  ret void
}

define void @_ZNSt8bad_castD1Ev(ptr %exception) {
  ret void
}

define void @_ZNSt8bad_castD2Ev(ptr %exception) {
  ret void
}

define void @_ZNSt17bad_function_callD1Ev(ptr %exception) {
  ret void
}

define void @_ZNSt17bad_function_callD2Ev(ptr %exception) {
  ret void
}

define void @_ZNSt12bad_weak_ptrD1Ev(ptr %exception) {
  ret void
}

define void @_ZNSt12bad_weak_ptrD2Ev(ptr %exception) {
  ret void
}

define void @_ZNSt19bad_optional_accessD1Ev(ptr %exception) {
  ret void
}

define void @_ZNSt19bad_optional_accessD2Ev(ptr %exception) {
  ret void
}

define void @_ZNSt20bad_array_new_lengthD1Ev(ptr %exception) {
  ret void
}

define void @_ZNSt20bad_array_new_lengthD2Ev(ptr %exception) {
  ret void
}

define void @_ZNSt12future_errorD1Ev(ptr %exception) {
  ret void
}

define void @_ZNSt12future_errorD2Ev(ptr %exception) {
  ret void
}

define void @_ZNSt12system_errorD1Ev(ptr %exception) {
  ret void
}

define void @_ZNSt12system_errorD2Ev(ptr %exception) {
  ret void
}
