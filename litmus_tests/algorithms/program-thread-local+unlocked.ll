; A counter that each thread has for itself, added to a common one under a lock of C: the common counter is not locked
; From thread-local.c: clang -O1 -S -emit-llvm -fno-discard-value-names -DUNLOCKED thread-local.c
; EXPECT: llvm=Never+ub+ub-undef amdgpu=Never+ub+ub-undef

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%union.mtx_t = type { i64, [32 x i8] }

@mutex = dso_local global %union.mtx_t zeroinitializer, align 8
@mine = dso_local thread_local global i32 0, align 4
@total = dso_local local_unnamed_addr global i32 0, align 4
@.str = private unnamed_addr constant [44 x i8] c"x == 1 && y == 2 && mine == 0 && total == 3\00", align 1
@.str.1 = private unnamed_addr constant [15 x i8] c"thread-local.c\00", align 1
@__PRETTY_FUNCTION__.main = private unnamed_addr constant [15 x i8] c"int main(void)\00", align 1

define dso_local i32 @main() local_unnamed_addr #0 {
entry:
  %a = alloca i64, align 8
  %b = alloca i64, align 8
  %x = alloca i32, align 4
  %y = alloca i32, align 4
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %a) #7
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %b) #7
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %x) #7
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %y) #7
  %call = tail call i32 @mtx_init(ptr noundef nonnull @mutex, i32 noundef 0) #7
  %call1 = call i32 @thrd_create(ptr noundef nonnull %a, ptr noundef nonnull @work, ptr noundef nonnull inttoptr (i64 1 to ptr)) #7
  %call2 = call i32 @thrd_create(ptr noundef nonnull %b, ptr noundef nonnull @work, ptr noundef nonnull inttoptr (i64 2 to ptr)) #7
  %0 = load i64, ptr %a, align 8, !tbaa !5
  %call3 = call i32 @thrd_join(i64 noundef %0, ptr noundef nonnull %x) #7
  %1 = load i64, ptr %b, align 8, !tbaa !5
  %call4 = call i32 @thrd_join(i64 noundef %1, ptr noundef nonnull %y) #7
  %2 = load i32, ptr %x, align 4, !tbaa !9
  %cmp = icmp eq i32 %2, 1
  %3 = load i32, ptr %y, align 4
  %cmp5 = icmp eq i32 %3, 2
  %or.cond = select i1 %cmp, i1 %cmp5, i1 false
  br i1 %or.cond, label %land.lhs.true6, label %if.else

land.lhs.true6:                                   ; preds = %entry
  %4 = call align 4 ptr @llvm.threadlocal.address.p0(ptr align 4 @mine)
  %5 = load i32, ptr %4, align 4, !tbaa !9
  %cmp7 = icmp eq i32 %5, 0
  %6 = load i32, ptr @total, align 4
  %cmp9 = icmp eq i32 %6, 3
  %or.cond10 = select i1 %cmp7, i1 %cmp9, i1 false
  br i1 %or.cond10, label %if.end, label %if.else

if.else:                                          ; preds = %land.lhs.true6, %entry
  call void @__assert_fail(ptr noundef nonnull @.str, ptr noundef nonnull @.str.1, i32 noundef 27, ptr noundef nonnull @__PRETTY_FUNCTION__.main) #8
  unreachable

if.end:                                           ; preds = %land.lhs.true6
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %y) #7
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %x) #7
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %b) #7
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %a) #7
  ret i32 0
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

declare i32 @mtx_init(ptr noundef, i32 noundef) local_unnamed_addr #2

declare i32 @thrd_create(ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

define internal i32 @work(ptr noundef %steps) #3 {
entry:
  %cmp4 = icmp sgt ptr %steps, null
  br i1 %cmp4, label %for.cond.for.cond.cleanup_crit_edge, label %for.cond.cleanup

for.cond.for.cond.cleanup_crit_edge:              ; preds = %entry
  %0 = ptrtoint ptr %steps to i64
  %smax = tail call i64 @llvm.smax.i64(i64 %0, i64 1)
  %1 = trunc i64 %smax to i32
  %2 = tail call align 4 ptr @llvm.threadlocal.address.p0(ptr align 4 @mine)
  %.promoted = load i32, ptr %2, align 4, !tbaa !9
  %3 = add i32 %.promoted, %1
  store i32 %3, ptr %2, align 4, !tbaa !9
  br label %for.cond.cleanup

for.cond.cleanup:                                 ; preds = %for.cond.for.cond.cleanup_crit_edge, %entry
  %4 = tail call align 4 ptr @llvm.threadlocal.address.p0(ptr align 4 @mine)
  %5 = load i32, ptr %4, align 4, !tbaa !9
  %6 = load i32, ptr @total, align 4, !tbaa !9
  %add = add nsw i32 %6, %5
  store i32 %add, ptr @total, align 4, !tbaa !9
  %7 = load i32, ptr %4, align 4, !tbaa !9
  ret i32 %7
}

declare i32 @thrd_join(i64 noundef, ptr noundef) local_unnamed_addr #2

declare nonnull ptr @llvm.threadlocal.address.p0(ptr nonnull) #4

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef) local_unnamed_addr #5

declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

declare i64 @llvm.smax.i64(i64, i64) #6

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nofree nosync nounwind memory(readwrite, inaccessiblemem: none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { noreturn nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #7 = { nounwind }
attributes #8 = { noreturn nounwind }

!llvm.module.flags = !{!0, !1, !2, !3}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 16.0.6 (15~deb12u1)"}
!5 = !{!6, !6, i64 0}
!6 = !{!"long", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C/C++ TBAA"}
!9 = !{!10, !10, i64 0}
!10 = !{!"int", !7, i64 0}
