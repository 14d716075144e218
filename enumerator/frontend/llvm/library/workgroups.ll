; Collective functions of a workgroup (The OpenCL C Specification, 6.15.16, Work-group Collective Functions).
;
; Each thread leaves its value, once, and waits for those that it needs. A place is written in one call only: 16 calls of
; up to 64 threads have one. That orders nothing else, as the specification asks for no order of other memory: all
; accesses are monotonic. A value has 64 bits, and the bit above says that it is there.

@enumerator.group.values = addrspace(3) global [1024 x i128] zeroinitializer
@enumerator.group.calls = thread_local global i32 0

define i64 @enumerator.group.add(i64 %value, i64 %first, i32 %id, i32 %begin, i32 %end) {
entry:
  %calls = call ptr @llvm.threadlocal.address.p0(ptr @enumerator.group.calls)
  %number = load i32, ptr %calls
  %next = add i32 %number, 1
  store i32 %next, ptr %calls
  %row = mul i32 %number, 64
  %mine = add i32 %row, %id
  %place = getelementptr i128, ptr addrspace(3) @enumerator.group.values, i32 %mine
  %wide = zext i64 %value to i128
  %there = or i128 %wide, 18446744073709551616
  store atomic i128 %there, ptr addrspace(3) %place syncscope("workgroup") monotonic, align 16
  br label %loop
loop:
  %k = phi i32 [ %begin, %entry ], [ %after, %found ]
  %so.far = phi i64 [ %first, %entry ], [ %combined, %found ]
  %done = icmp uge i32 %k, %end
  br i1 %done, label %all, label %wait
wait:
  %other = add i32 %row, %k
  %its = getelementptr i128, ptr addrspace(3) @enumerator.group.values, i32 %other
  %seen = load atomic i128, ptr addrspace(3) %its syncscope("workgroup") monotonic, align 16
  %bit = lshr i128 %seen, 64
  %absent = icmp eq i128 %bit, 0
  br i1 %absent, label %wait, label %found
found:
  %value.k = trunc i128 %seen to i64
  %combined = add i64 %so.far, %value.k
  %after = add i32 %k, 1
  br label %loop
all:
  ret i64 %so.far
}

define i64 @enumerator.group.smin(i64 %value, i64 %first, i32 %id, i32 %begin, i32 %end) {
entry:
  %calls = call ptr @llvm.threadlocal.address.p0(ptr @enumerator.group.calls)
  %number = load i32, ptr %calls
  %next = add i32 %number, 1
  store i32 %next, ptr %calls
  %row = mul i32 %number, 64
  %mine = add i32 %row, %id
  %place = getelementptr i128, ptr addrspace(3) @enumerator.group.values, i32 %mine
  %wide = zext i64 %value to i128
  %there = or i128 %wide, 18446744073709551616
  store atomic i128 %there, ptr addrspace(3) %place syncscope("workgroup") monotonic, align 16
  br label %loop
loop:
  %k = phi i32 [ %begin, %entry ], [ %after, %found ]
  %so.far = phi i64 [ %first, %entry ], [ %combined, %found ]
  %done = icmp uge i32 %k, %end
  br i1 %done, label %all, label %wait
wait:
  %other = add i32 %row, %k
  %its = getelementptr i128, ptr addrspace(3) @enumerator.group.values, i32 %other
  %seen = load atomic i128, ptr addrspace(3) %its syncscope("workgroup") monotonic, align 16
  %bit = lshr i128 %seen, 64
  %absent = icmp eq i128 %bit, 0
  br i1 %absent, label %wait, label %found
found:
  %value.k = trunc i128 %seen to i64
  %combined = call i64 @llvm.smin.i64(i64 %so.far, i64 %value.k)
  %after = add i32 %k, 1
  br label %loop
all:
  ret i64 %so.far
}

define i64 @enumerator.group.smax(i64 %value, i64 %first, i32 %id, i32 %begin, i32 %end) {
entry:
  %calls = call ptr @llvm.threadlocal.address.p0(ptr @enumerator.group.calls)
  %number = load i32, ptr %calls
  %next = add i32 %number, 1
  store i32 %next, ptr %calls
  %row = mul i32 %number, 64
  %mine = add i32 %row, %id
  %place = getelementptr i128, ptr addrspace(3) @enumerator.group.values, i32 %mine
  %wide = zext i64 %value to i128
  %there = or i128 %wide, 18446744073709551616
  store atomic i128 %there, ptr addrspace(3) %place syncscope("workgroup") monotonic, align 16
  br label %loop
loop:
  %k = phi i32 [ %begin, %entry ], [ %after, %found ]
  %so.far = phi i64 [ %first, %entry ], [ %combined, %found ]
  %done = icmp uge i32 %k, %end
  br i1 %done, label %all, label %wait
wait:
  %other = add i32 %row, %k
  %its = getelementptr i128, ptr addrspace(3) @enumerator.group.values, i32 %other
  %seen = load atomic i128, ptr addrspace(3) %its syncscope("workgroup") monotonic, align 16
  %bit = lshr i128 %seen, 64
  %absent = icmp eq i128 %bit, 0
  br i1 %absent, label %wait, label %found
found:
  %value.k = trunc i128 %seen to i64
  %combined = call i64 @llvm.smax.i64(i64 %so.far, i64 %value.k)
  %after = add i32 %k, 1
  br label %loop
all:
  ret i64 %so.far
}

define i64 @enumerator.group.umin(i64 %value, i64 %first, i32 %id, i32 %begin, i32 %end) {
entry:
  %calls = call ptr @llvm.threadlocal.address.p0(ptr @enumerator.group.calls)
  %number = load i32, ptr %calls
  %next = add i32 %number, 1
  store i32 %next, ptr %calls
  %row = mul i32 %number, 64
  %mine = add i32 %row, %id
  %place = getelementptr i128, ptr addrspace(3) @enumerator.group.values, i32 %mine
  %wide = zext i64 %value to i128
  %there = or i128 %wide, 18446744073709551616
  store atomic i128 %there, ptr addrspace(3) %place syncscope("workgroup") monotonic, align 16
  br label %loop
loop:
  %k = phi i32 [ %begin, %entry ], [ %after, %found ]
  %so.far = phi i64 [ %first, %entry ], [ %combined, %found ]
  %done = icmp uge i32 %k, %end
  br i1 %done, label %all, label %wait
wait:
  %other = add i32 %row, %k
  %its = getelementptr i128, ptr addrspace(3) @enumerator.group.values, i32 %other
  %seen = load atomic i128, ptr addrspace(3) %its syncscope("workgroup") monotonic, align 16
  %bit = lshr i128 %seen, 64
  %absent = icmp eq i128 %bit, 0
  br i1 %absent, label %wait, label %found
found:
  %value.k = trunc i128 %seen to i64
  %combined = call i64 @llvm.umin.i64(i64 %so.far, i64 %value.k)
  %after = add i32 %k, 1
  br label %loop
all:
  ret i64 %so.far
}

define i64 @enumerator.group.umax(i64 %value, i64 %first, i32 %id, i32 %begin, i32 %end) {
entry:
  %calls = call ptr @llvm.threadlocal.address.p0(ptr @enumerator.group.calls)
  %number = load i32, ptr %calls
  %next = add i32 %number, 1
  store i32 %next, ptr %calls
  %row = mul i32 %number, 64
  %mine = add i32 %row, %id
  %place = getelementptr i128, ptr addrspace(3) @enumerator.group.values, i32 %mine
  %wide = zext i64 %value to i128
  %there = or i128 %wide, 18446744073709551616
  store atomic i128 %there, ptr addrspace(3) %place syncscope("workgroup") monotonic, align 16
  br label %loop
loop:
  %k = phi i32 [ %begin, %entry ], [ %after, %found ]
  %so.far = phi i64 [ %first, %entry ], [ %combined, %found ]
  %done = icmp uge i32 %k, %end
  br i1 %done, label %all, label %wait
wait:
  %other = add i32 %row, %k
  %its = getelementptr i128, ptr addrspace(3) @enumerator.group.values, i32 %other
  %seen = load atomic i128, ptr addrspace(3) %its syncscope("workgroup") monotonic, align 16
  %bit = lshr i128 %seen, 64
  %absent = icmp eq i128 %bit, 0
  br i1 %absent, label %wait, label %found
found:
  %value.k = trunc i128 %seen to i64
  %combined = call i64 @llvm.umax.i64(i64 %so.far, i64 %value.k)
  %after = add i32 %k, 1
  br label %loop
all:
  ret i64 %so.far
}
