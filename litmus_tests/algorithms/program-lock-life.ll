; A mutex and a barrier of POSIX from their initialization to their end
; From lock-life.c: clang -O1 -S -emit-llvm -fno-discard-value-names lock-life.c
; EXPECT: llvm=Never rc11=Never

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%union.pthread_mutex_t = type { %struct.__pthread_mutex_s }
%struct.__pthread_mutex_s = type { i32, i32, i32, i32, i32, i16, i16, %struct.__pthread_internal_list }
%struct.__pthread_internal_list = type { ptr, ptr }
%union.pthread_barrier_t = type { i64, [24 x i8] }

@mutex = dso_local global %union.pthread_mutex_t zeroinitializer, align 8
@barrier = dso_local global %union.pthread_barrier_t zeroinitializer, align 8
@count = dso_local local_unnamed_addr global i32 0, align 4
@.str = private unnamed_addr constant [11 x i8] c"count == 1\00", align 1
@.str.1 = private unnamed_addr constant [12 x i8] c"lock-life.c\00", align 1
@__PRETTY_FUNCTION__.main = private unnamed_addr constant [15 x i8] c"int main(void)\00", align 1

define dso_local i32 @main() local_unnamed_addr #0 {
entry:
  %a = alloca i64, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %a) #5
  %call = tail call i32 @pthread_mutex_init(ptr noundef nonnull @mutex, ptr noundef null) #5
  %call1 = tail call i32 @pthread_barrier_init(ptr noundef nonnull @barrier, ptr noundef null, i32 noundef 2) #5
  %call2 = call i32 @pthread_create(ptr noundef nonnull %a, ptr noundef null, ptr noundef nonnull @work, ptr noundef null) #5
  %call3 = call i32 @pthread_barrier_wait(ptr noundef nonnull @barrier) #5
  %call4 = call i32 @pthread_barrier_destroy(ptr noundef nonnull @barrier) #5
  %call5 = call i32 @pthread_mutex_destroy(ptr noundef nonnull @mutex) #5
  %0 = load i64, ptr %a, align 8, !tbaa !5
  %call6 = call i32 @pthread_join(i64 noundef %0, ptr noundef null) #5
  %1 = load i32, ptr @count, align 4, !tbaa !9
  %cmp = icmp eq i32 %1, 1
  br i1 %cmp, label %if.end, label %if.else

if.else:                                          ; preds = %entry
  call void @__assert_fail(ptr noundef nonnull @.str, ptr noundef nonnull @.str.1, i32 noundef 33, ptr noundef nonnull @__PRETTY_FUNCTION__.main) #6
  unreachable

if.end:                                           ; preds = %entry
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %a) #5
  ret i32 0
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

declare i32 @pthread_mutex_init(ptr noundef, ptr noundef) local_unnamed_addr #2

declare i32 @pthread_barrier_init(ptr noundef, ptr noundef, i32 noundef) local_unnamed_addr #2

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

define internal noalias ptr @work(ptr nocapture readnone %unused) #0 {
entry:
  %call = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @mutex) #5
  %0 = load i32, ptr @count, align 4, !tbaa !9
  %inc = add nsw i32 %0, 1
  store i32 %inc, ptr @count, align 4, !tbaa !9
  %call1 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @mutex) #5
  %call2 = tail call i32 @pthread_barrier_wait(ptr noundef nonnull @barrier) #5
  ret ptr null
}

declare i32 @pthread_barrier_wait(ptr noundef) local_unnamed_addr #2

declare i32 @pthread_barrier_destroy(ptr noundef) local_unnamed_addr #2

declare i32 @pthread_mutex_destroy(ptr noundef) local_unnamed_addr #2

declare i32 @pthread_join(i64 noundef, ptr noundef) local_unnamed_addr #3

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef) local_unnamed_addr #4

declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

declare i32 @pthread_mutex_lock(ptr noundef) local_unnamed_addr #2

declare i32 @pthread_mutex_unlock(ptr noundef) local_unnamed_addr #2

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { noreturn nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { nounwind }
attributes #6 = { noreturn nounwind }

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
