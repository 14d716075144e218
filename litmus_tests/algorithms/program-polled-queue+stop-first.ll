; A queue of jobs under a mutex, which the worker polls until it is told to stop, which main does before it gives the jobs
; From polled-queue.c: clang -O1 -S -emit-llvm -fno-discard-value-names -DSTOP_FIRST polled-queue.c
; EXPECT: llvm=Sometimes+assert amdgpu=Sometimes+assert

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%union.pthread_mutex_t = type { %struct.__pthread_mutex_s }
%struct.__pthread_mutex_s = type { i32, i32, i32, i32, i32, i16, i16, %struct.__pthread_internal_list }
%struct.__pthread_internal_list = type { ptr, ptr }

@mutex = dso_local global %union.pthread_mutex_t zeroinitializer, align 8
@stop = dso_local local_unnamed_addr global i32 0, align 4
@sum = dso_local local_unnamed_addr global i32 0, align 4
@.str = private unnamed_addr constant [9 x i8] c"sum == 3\00", align 1
@.str.1 = private unnamed_addr constant [15 x i8] c"polled-queue.c\00", align 1
@__PRETTY_FUNCTION__.main = private unnamed_addr constant [15 x i8] c"int main(void)\00", align 1
@jobs = dso_local local_unnamed_addr global [2 x i32] zeroinitializer, align 4
@given = dso_local local_unnamed_addr global i32 0, align 4
@taken = dso_local local_unnamed_addr global i32 0, align 4

define dso_local i32 @main() local_unnamed_addr #0 {
entry:
  %worker = alloca i64, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %worker) #5
  %call = call i32 @pthread_create(ptr noundef nonnull %worker, ptr noundef null, ptr noundef nonnull @work, ptr noundef null) #5
  %call1 = call i32 @pthread_mutex_lock(ptr noundef nonnull @mutex) #5
  store i32 1, ptr @stop, align 4, !tbaa !5
  %call2 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @mutex) #5
  %call.i = call i32 @pthread_mutex_lock(ptr noundef nonnull @mutex) #5
  %0 = load i32, ptr @given, align 4, !tbaa !5
  %inc.i = add nsw i32 %0, 1
  store i32 %inc.i, ptr @given, align 4, !tbaa !5
  %idxprom.i = sext i32 %0 to i64
  %arrayidx.i = getelementptr inbounds [2 x i32], ptr @jobs, i64 0, i64 %idxprom.i
  store i32 1, ptr %arrayidx.i, align 4, !tbaa !5
  %call1.i = call i32 @pthread_mutex_unlock(ptr noundef nonnull @mutex) #5
  %call.i4 = call i32 @pthread_mutex_lock(ptr noundef nonnull @mutex) #5
  %1 = load i32, ptr @given, align 4, !tbaa !5
  %inc.i5 = add nsw i32 %1, 1
  store i32 %inc.i5, ptr @given, align 4, !tbaa !5
  %idxprom.i6 = sext i32 %1 to i64
  %arrayidx.i7 = getelementptr inbounds [2 x i32], ptr @jobs, i64 0, i64 %idxprom.i6
  store i32 2, ptr %arrayidx.i7, align 4, !tbaa !5
  %call1.i8 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @mutex) #5
  %2 = load i64, ptr %worker, align 8, !tbaa !9
  %call3 = call i32 @pthread_join(i64 noundef %2, ptr noundef null) #5
  %3 = load i32, ptr @sum, align 4, !tbaa !5
  %cmp = icmp eq i32 %3, 3
  br i1 %cmp, label %if.end, label %if.else

if.else:                                          ; preds = %entry
  call void @__assert_fail(ptr noundef nonnull @.str, ptr noundef nonnull @.str.1, i32 noundef 48, ptr noundef nonnull @__PRETTY_FUNCTION__.main) #6
  unreachable

if.end:                                           ; preds = %entry
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %worker) #5
  ret i32 0
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

define internal noalias ptr @work(ptr nocapture readnone %unused) #0 {
entry:
  br label %while.cond

while.cond:                                       ; preds = %while.cond.backedge, %entry
  %call.i = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @mutex) #5
  %0 = load i32, ptr @taken, align 4, !tbaa !5
  %1 = load i32, ptr @given, align 4, !tbaa !5
  %cmp.i = icmp slt i32 %0, %1
  br i1 %cmp.i, label %if.then.i, label %if.else.i

if.then.i:                                        ; preds = %while.cond
  %inc.i = add nsw i32 %0, 1
  store i32 %inc.i, ptr @taken, align 4, !tbaa !5
  %idxprom.i = sext i32 %0 to i64
  %arrayidx.i = getelementptr inbounds [2 x i32], ptr @jobs, i64 0, i64 %idxprom.i
  %2 = load i32, ptr %arrayidx.i, align 4, !tbaa !5
  br label %take.exit

if.else.i:                                        ; preds = %while.cond
  %3 = load i32, ptr @stop, align 4, !tbaa !5
  %tobool.not.i = icmp ne i32 %3, 0
  %spec.select.i = sext i1 %tobool.not.i to i32
  br label %take.exit

take.exit:                                        ; preds = %if.then.i, %if.else.i
  %job.0.i = phi i32 [ %2, %if.then.i ], [ %spec.select.i, %if.else.i ]
  %call3.i = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @mutex) #5
  %cmp = icmp sgt i32 %job.0.i, -1
  br i1 %cmp, label %while.body, label %while.end

while.body:                                       ; preds = %take.exit
  %tobool.not = icmp eq i32 %job.0.i, 0
  br i1 %tobool.not, label %while.cond.backedge, label %if.then

if.then:                                          ; preds = %while.body
  %4 = load i32, ptr @sum, align 4, !tbaa !5
  %add = add nsw i32 %4, %job.0.i
  store i32 %add, ptr @sum, align 4, !tbaa !5
  br label %while.cond.backedge

while.cond.backedge:                              ; preds = %if.then, %while.body
  br label %while.cond, !llvm.loop !11

while.end:                                        ; preds = %take.exit
  ret ptr null
}

declare i32 @pthread_mutex_lock(ptr noundef) local_unnamed_addr #2

declare i32 @pthread_mutex_unlock(ptr noundef) local_unnamed_addr #2

declare i32 @pthread_join(i64 noundef, ptr noundef) local_unnamed_addr #3

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef) local_unnamed_addr #4

declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { noreturn nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { nounwind }
attributes #6 = { noreturn nounwind }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 16.0.6 (15~deb12u1)"}
!5 = !{!6, !6, i64 0}
!6 = !{!"int", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C/C++ TBAA"}
!9 = !{!10, !10, i64 0}
!10 = !{!"long", !7, i64 0}
!11 = distinct !{!11, !12, !13}
!12 = !{!"llvm.loop.mustprogress"}
!13 = !{!"llvm.loop.unroll.disable"}
