; Numbers: absolute values, quotients, and what strings say.
;
; Sources: ISO C17, 7.22.1 and 7.22.6; POSIX.1-2017 (strtol). ERANGE is 34. A base that is none gives 0 and EINVAL, 22.

declare ptr @__errno_location()
declare { i64, i1 } @llvm.umul.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.uadd.with.overflow.i64(i64, i64)

define i32 @abs(i32 %number) {
  %negative = icmp slt i32 %number, 0
  %other = sub i32 0, %number
  %result = select i1 %negative, i32 %other, i32 %number
  ret i32 %result
}

define i64 @labs(i64 %number) {
  %negative = icmp slt i64 %number, 0
  %other = sub i64 0, %number
  %result = select i1 %negative, i64 %other, i64 %number
  ret i64 %result
}

define i64 @llabs(i64 %number) {
  %result = call i64 @labs(i64 %number)
  ret i64 %result
}

; A structure of two numbers is returned in one register of 64 bits, or in two.
define i64 @div(i32 %number, i32 %by) {
  %quotient = sdiv i32 %number, %by
  %rest = srem i32 %number, %by
  %low = zext i32 %quotient to i64
  %wide = zext i32 %rest to i64
  %high = shl i64 %wide, 32
  %both = or i64 %high, %low
  ret i64 %both
}

define { i64, i64 } @ldiv(i64 %number, i64 %by) {
  %quotient = sdiv i64 %number, %by
  %rest = srem i64 %number, %by
  %first = insertvalue { i64, i64 } undef, i64 %quotient, 0
  %both = insertvalue { i64, i64 } %first, i64 %rest, 1
  ret { i64, i64 } %both
}

define { i64, i64 } @lldiv(i64 %number, i64 %by) {
  %both = call { i64, i64 } @ldiv(i64 %number, i64 %by)
  ret { i64, i64 } %both
}

; -- What strings say --------------------------------------------------------------------------------------------

; The value of a digit; what is none has one of 36 or more. A loop that reads them has it written out, so that it can be
; seen what the loop looks at.
define i64 @enumerator.digit(i8 %byte) {
  %number = sub i8 %byte, 48
  %is.number = icmp ult i8 %number, 10
  %lower = or i8 %byte, 32
  %letter = sub i8 %lower, 97
  %is.letter = icmp ult i8 %letter, 26
  %of.letter = add i8 %letter, 10
  %no.number = select i1 %is.letter, i8 %of.letter, i8 99
  %value = select i1 %is.number, i8 %number, i8 %no.number
  %wide = zext i8 %value to i64
  ret i64 %wide
}

define ptr @enumerator.after.space(ptr %string) {
entry:
  br label %loop
loop:
  %at = phi i64 [ 0, %entry ], [ %next, %more ]
  %place = getelementptr i8, ptr %string, i64 %at
  %byte = load i8, ptr %place
  %is.blank = icmp eq i8 %byte, 32
  %control = sub i8 %byte, 9
  %is.control = icmp ult i8 %control, 5
  %is.space = or i1 %is.blank, %is.control
  br i1 %is.space, label %more, label %done
more:
  %next = add i64 %at, 1
  br label %loop
done:
  ret ptr %place
}

; Whether a string begins with 0, a letter, and a digit of the base of this letter.
define i1 @enumerator.has.prefix(ptr %string, i8 %letter, i64 %base) {
entry:
  %first = load i8, ptr %string
  %is.zero = icmp eq i8 %first, 48
  br i1 %is.zero, label %second, label %no
second:
  %place = getelementptr i8, ptr %string, i64 1
  %byte = load i8, ptr %place
  %lower = or i8 %byte, 32
  %is.letter = icmp eq i8 %lower, %letter
  br i1 %is.letter, label %third, label %no
third:
  %digit.place = getelementptr i8, ptr %string, i64 2
  %digit.byte = load i8, ptr %digit.place
  %digit = call i64 @enumerator.digit(i8 %digit.byte)
  %is.digit = icmp ult i64 %digit, %base
  ret i1 %is.digit
no:
  ret i1 false
}

; The base that a string has, where that is for it to say, and how long the prefix is that says so. C23 has 0b, too.
define { i64, i64 } @enumerator.base(ptr %string, i64 %base, i1 %binary) {
entry:
  switch i64 %base, label %given [
    i64 0, label %hexadecimal
    i64 16, label %hexadecimal
    i64 2, label %two
  ]
hexadecimal:
  %is.hexadecimal = call i1 @enumerator.has.prefix(ptr %string, i8 120, i64 16)
  br i1 %is.hexadecimal, label %sixteen, label %not.hexadecimal
sixteen:
  ret { i64, i64 } { i64 16, i64 2 }
not.hexadecimal:
  %open = icmp eq i64 %base, 0
  br i1 %open, label %two, label %given
two:
  br i1 %binary, label %look, label %not.binary
look:
  %is.binary = call i1 @enumerator.has.prefix(ptr %string, i8 98, i64 2)
  br i1 %is.binary, label %prefixed, label %not.binary
prefixed:
  ret { i64, i64 } { i64 2, i64 2 }
not.binary:
  %still.open = icmp eq i64 %base, 0
  br i1 %still.open, label %other, label %given
other:
  %first = load i8, ptr %string
  %is.zero = icmp eq i8 %first, 48
  %chosen = select i1 %is.zero, i64 8, i64 10
  %as.chosen = insertvalue { i64, i64 } { i64 0, i64 0 }, i64 %chosen, 0
  ret { i64, i64 } %as.chosen
given:
  %as.given = insertvalue { i64, i64 } { i64 0, i64 0 }, i64 %base, 0
  ret { i64, i64 } %as.given
}

; A number without its sign, whether there is a minus, and whether it is too large; where it ends is stored.
define { i64, i1, i1 } @enumerator.read.number(ptr %string, ptr %to.end, i32 %asked, i1 %binary) {
entry:
  %one = icmp eq i32 %asked, 1
  %too.large = icmp ugt i32 %asked, 36
  %no.base = or i1 %one, %too.large
  br i1 %no.base, label %wrong, label %begin
wrong:
  %error = call ptr @__errno_location()
  store i32 22, ptr %error
  ret { i64, i1, i1 } zeroinitializer
begin:
  %sign.place = call ptr @enumerator.after.space(ptr %string)
  %sign = load i8, ptr %sign.place
  %minus = icmp eq i8 %sign, 45
  %plus = icmp eq i8 %sign, 43
  %signed = or i1 %minus, %plus
  %sign.length = zext i1 %signed to i64
  %number = getelementptr i8, ptr %sign.place, i64 %sign.length
  %wide = zext i32 %asked to i64
  %told = call { i64, i64 } @enumerator.base(ptr %number, i64 %wide, i1 %binary)
  %base = extractvalue { i64, i64 } %told, 0
  %prefix = extractvalue { i64, i64 } %told, 1
  br label %loop
loop:
  %at = phi i64 [ %prefix, %begin ], [ %next, %more ]
  %value = phi i64 [ 0, %begin ], [ %sum, %more ]
  %large = phi i1 [ false, %begin ], [ %too.much, %more ]
  %place = getelementptr i8, ptr %number, i64 %at
  %byte = load i8, ptr %place
  %cipher = sub i8 %byte, 48
  %is.cipher = icmp ult i8 %cipher, 10
  %lower = or i8 %byte, 32
  %letter = sub i8 %lower, 97
  %is.letter = icmp ult i8 %letter, 26
  %of.letter = add i8 %letter, 10
  %no.cipher = select i1 %is.letter, i8 %of.letter, i8 99
  %narrow = select i1 %is.cipher, i8 %cipher, i8 %no.cipher
  %digit = zext i8 %narrow to i64
  %is.digit = icmp ult i64 %digit, %base
  br i1 %is.digit, label %more, label %over
more:
  %scaled = call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %value, i64 %base)
  %product = extractvalue { i64, i1 } %scaled, 0
  %product.large = extractvalue { i64, i1 } %scaled, 1
  %added = call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %product, i64 %digit)
  %sum = extractvalue { i64, i1 } %added, 0
  %sum.large = extractvalue { i64, i1 } %added, 1
  %now.large = or i1 %product.large, %sum.large
  %too.much = or i1 %large, %now.large
  %next = add i64 %at, 1
  br label %loop
over:
  %none = icmp eq ptr %to.end, null
  br i1 %none, label %done, label %tell
tell:
  %empty = icmp eq i64 %at, 0
  %end = select i1 %empty, ptr %string, ptr %place
  store ptr %end, ptr %to.end
  br label %done
done:
  %with.value = insertvalue { i64, i1, i1 } zeroinitializer, i64 %value, 0
  %with.sign = insertvalue { i64, i1, i1 } %with.value, i1 %minus, 1
  %result = insertvalue { i64, i1, i1 } %with.sign, i1 %large, 2
  ret { i64, i1, i1 } %result
}

define i64 @enumerator.read.signed(ptr %string, ptr %to.end, i32 %base, i1 %binary) {
entry:
  %told = call { i64, i1, i1 } @enumerator.read.number(ptr %string, ptr %to.end, i32 %base, i1 %binary)
  %value = extractvalue { i64, i1, i1 } %told, 0
  %minus = extractvalue { i64, i1, i1 } %told, 1
  %large = extractvalue { i64, i1, i1 } %told, 2
  %most = select i1 %minus, i64 -9223372036854775808, i64 9223372036854775807
  %above = icmp ugt i64 %value, %most
  %too.large = or i1 %large, %above
  br i1 %too.large, label %out, label %in
out:
  %error = call ptr @__errno_location()
  store i32 34, ptr %error
  ret i64 %most
in:
  %negated = sub i64 0, %value
  %result = select i1 %minus, i64 %negated, i64 %value
  ret i64 %result
}

define i64 @enumerator.read.unsigned(ptr %string, ptr %to.end, i32 %base, i1 %binary) {
entry:
  %told = call { i64, i1, i1 } @enumerator.read.number(ptr %string, ptr %to.end, i32 %base, i1 %binary)
  %value = extractvalue { i64, i1, i1 } %told, 0
  %minus = extractvalue { i64, i1, i1 } %told, 1
  %large = extractvalue { i64, i1, i1 } %told, 2
  br i1 %large, label %out, label %in
out:
  %error = call ptr @__errno_location()
  store i32 34, ptr %error
  ret i64 -1
in:
  %negated = sub i64 0, %value
  %result = select i1 %minus, i64 %negated, i64 %value
  ret i64 %result
}

define i64 @strtol(ptr %string, ptr %to.end, i32 %base) {
  %number = call i64 @enumerator.read.signed(ptr %string, ptr %to.end, i32 %base, i1 false)
  ret i64 %number
}

define i64 @strtoll(ptr %string, ptr %to.end, i32 %base) {
  %number = call i64 @enumerator.read.signed(ptr %string, ptr %to.end, i32 %base, i1 false)
  ret i64 %number
}

define i64 @strtoul(ptr %string, ptr %to.end, i32 %base) {
  %number = call i64 @enumerator.read.unsigned(ptr %string, ptr %to.end, i32 %base, i1 false)
  ret i64 %number
}

define i64 @strtoull(ptr %string, ptr %to.end, i32 %base) {
  %number = call i64 @enumerator.read.unsigned(ptr %string, ptr %to.end, i32 %base, i1 false)
  ret i64 %number
}

define i64 @__isoc23_strtol(ptr %string, ptr %to.end, i32 %base) {
  %number = call i64 @enumerator.read.signed(ptr %string, ptr %to.end, i32 %base, i1 true)
  ret i64 %number
}

define i64 @__isoc23_strtoll(ptr %string, ptr %to.end, i32 %base) {
  %number = call i64 @enumerator.read.signed(ptr %string, ptr %to.end, i32 %base, i1 true)
  ret i64 %number
}

define i64 @__isoc23_strtoul(ptr %string, ptr %to.end, i32 %base) {
  %number = call i64 @enumerator.read.unsigned(ptr %string, ptr %to.end, i32 %base, i1 true)
  ret i64 %number
}

define i64 @__isoc23_strtoull(ptr %string, ptr %to.end, i32 %base) {
  %number = call i64 @enumerator.read.unsigned(ptr %string, ptr %to.end, i32 %base, i1 true)
  ret i64 %number
}

define i64 @atol(ptr %string) {
  %number = call i64 @strtol(ptr %string, ptr null, i32 10)
  ret i64 %number
}

define i64 @atoll(ptr %string) {
  %number = call i64 @strtol(ptr %string, ptr null, i32 10)
  ret i64 %number
}

define i32 @atoi(ptr %string) {
  %wide = call i64 @strtol(ptr %string, ptr null, i32 10)
  %number = trunc i64 %wide to i32
  ret i32 %number
}
