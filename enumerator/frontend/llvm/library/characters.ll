; Characters: what class each is in, and its other case, in the locale "C", which is the one at the beginning.
;
; Sources: ISO C17, 7.4 and 7.11.1.1; glibc's <ctype.h>, whose macros look in tables (characters.py), from -128 on.
; A class is one bit of a number, and what tells whether a character is in a class gives that bit.

@enumerator.classes.of = constant ptr getelementptr (i8, ptr @enumerator.classes, i64 256)
@enumerator.lower.of = constant ptr getelementptr (i8, ptr @enumerator.lower, i64 512)
@enumerator.upper.of = constant ptr getelementptr (i8, ptr @enumerator.upper, i64 512)

define ptr @__ctype_b_loc() {
  ret ptr @enumerator.classes.of
}

define ptr @__ctype_tolower_loc() {
  ret ptr @enumerator.lower.of
}

define ptr @__ctype_toupper_loc() {
  ret ptr @enumerator.upper.of
}

define i32 @enumerator.in.class(i32 %character, i32 %class) {
  %number = add i32 %character, 128
  %place = getelementptr i16, ptr @enumerator.classes, i32 %number
  %classes = load i16, ptr %place
  %wide = zext i16 %classes to i32
  %is = and i32 %wide, %class
  ret i32 %is
}

define i32 @isupper(i32 %character) {
  %is = call i32 @enumerator.in.class(i32 %character, i32 256)
  ret i32 %is
}

define i32 @islower(i32 %character) {
  %is = call i32 @enumerator.in.class(i32 %character, i32 512)
  ret i32 %is
}

define i32 @isalpha(i32 %character) {
  %is = call i32 @enumerator.in.class(i32 %character, i32 1024)
  ret i32 %is
}

define i32 @isdigit(i32 %character) {
  %is = call i32 @enumerator.in.class(i32 %character, i32 2048)
  ret i32 %is
}

define i32 @isxdigit(i32 %character) {
  %is = call i32 @enumerator.in.class(i32 %character, i32 4096)
  ret i32 %is
}

define i32 @isspace(i32 %character) {
  %is = call i32 @enumerator.in.class(i32 %character, i32 8192)
  ret i32 %is
}

define i32 @isprint(i32 %character) {
  %is = call i32 @enumerator.in.class(i32 %character, i32 16384)
  ret i32 %is
}

define i32 @isgraph(i32 %character) {
  %is = call i32 @enumerator.in.class(i32 %character, i32 32768)
  ret i32 %is
}

define i32 @isblank(i32 %character) {
  %is = call i32 @enumerator.in.class(i32 %character, i32 1)
  ret i32 %is
}

define i32 @iscntrl(i32 %character) {
  %is = call i32 @enumerator.in.class(i32 %character, i32 2)
  ret i32 %is
}

define i32 @ispunct(i32 %character) {
  %is = call i32 @enumerator.in.class(i32 %character, i32 4)
  ret i32 %is
}

define i32 @isalnum(i32 %character) {
  %is = call i32 @enumerator.in.class(i32 %character, i32 8)
  ret i32 %is
}

define i32 @tolower(i32 %character) {
  %letter = sub i32 %character, 65
  %is = icmp ult i32 %letter, 26
  %other = xor i32 %character, 32
  %result = select i1 %is, i32 %other, i32 %character
  ret i32 %result
}

define i32 @toupper(i32 %character) {
  %letter = sub i32 %character, 97
  %is = icmp ult i32 %letter, 26
  %other = xor i32 %character, 32
  %result = select i1 %is, i32 %other, i32 %character
  ret i32 %result
}
