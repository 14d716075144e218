; A sequence lock: a reader takes what it read only if no writer was there: no fence after the writer's first store
; REF: Boehm: Can seqlocks get along with programming language memory models?, MSPC 2012
; From seqlock.c: clang -O1 -S -emit-llvm -fno-discard-value-names -DBEGIN=rlx seqlock.c
; EXPECT: llvm=Sometimes+assert amdgpu=Sometimes+assert

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@sequence = dso_local local_unnamed_addr global i32 0, align 4
@a = dso_local local_unnamed_addr global i32 0, align 4
@b = dso_local local_unnamed_addr global i32 0, align 4
@.str = private unnamed_addr constant [7 x i8] c"x == y\00", align 1
@.str.1 = private unnamed_addr constant [10 x i8] c"seqlock.c\00", align 1
@__PRETTY_FUNCTION__.read = private unnamed_addr constant [19 x i8] c"void *read(void *)\00", align 1

define dso_local i32 @main() local_unnamed_addr #0 {
entry:
  %t = alloca i64, align 8
  %u = alloca i64, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %t) #5
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %u) #5
  %call = call i32 @pthread_create(ptr noundef nonnull %t, ptr noundef null, ptr noundef nonnull @write, ptr noundef null) #5
  %call1 = call i32 @pthread_create(ptr noundef nonnull %u, ptr noundef null, ptr noundef nonnull @read, ptr noundef null) #5
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %u) #5
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %t) #5
  ret i32 0
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

define internal noalias ptr @write(ptr nocapture readnone %unused) #3 {
entry:
  store atomic i32 1, ptr @sequence monotonic, align 4
  store atomic i32 1, ptr @a monotonic, align 4
  store atomic i32 1, ptr @b monotonic, align 4
  store atomic i32 2, ptr @sequence release, align 4
  ret ptr null
}

define internal noalias ptr @read(ptr nocapture readnone %unused) #0 {
entry:
  %0 = load atomic i32, ptr @sequence acquire, align 4
  %1 = load atomic i32, ptr @a monotonic, align 4
  %2 = load atomic i32, ptr @b monotonic, align 4
  fence acquire
  %and = and i32 %0, 1
  %tobool.not = icmp eq i32 %and, 0
  br i1 %tobool.not, label %land.lhs.true, label %if.end6

land.lhs.true:                                    ; preds = %entry
  %3 = load atomic i32, ptr @sequence monotonic, align 4
  %cmp = icmp ne i32 %3, %0
  %cmp4 = icmp eq i32 %1, %2
  %or.cond = select i1 %cmp, i1 true, i1 %cmp4
  br i1 %or.cond, label %if.end6, label %if.else

if.else:                                          ; preds = %land.lhs.true
  tail call void @__assert_fail(ptr noundef nonnull @.str, ptr noundef nonnull @.str.1, i32 noundef 23, ptr noundef nonnull @__PRETTY_FUNCTION__.read) #6
  unreachable

if.end6:                                          ; preds = %land.lhs.true, %entry
  ret ptr null
}

declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef) local_unnamed_addr #4

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { mustprogress nofree norecurse nounwind willreturn memory(readwrite, argmem: none, inaccessiblemem: none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { noreturn nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { nounwind }
attributes #6 = { noreturn nounwind }

!llvm.module.flags = !{!0, !1, !2, !3}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 16.0.6 (15~deb12u1)"}
