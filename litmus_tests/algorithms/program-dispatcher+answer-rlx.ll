; A dispatcher gives each of two workers a request, and takes their answers: the answers are relaxed
; From dispatcher.c: clang -O1 -S -emit-llvm -fno-discard-value-names -DANSWER=rlx dispatcher.c
; EXPECT: llvm=Never+ub+ub-undef amdgpu=Never+ub+ub-undef

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@requests = dso_local local_unnamed_addr global [2 x i32] zeroinitializer, align 4
@answers = dso_local local_unnamed_addr global [2 x i32] zeroinitializer, align 4
@results = dso_local local_unnamed_addr global [2 x i32] zeroinitializer, align 4
@.str = private unnamed_addr constant [29 x i8] c"results[0] + results[1] == 3\00", align 1
@.str.1 = private unnamed_addr constant [13 x i8] c"dispatcher.c\00", align 1
@__PRETTY_FUNCTION__.main = private unnamed_addr constant [15 x i8] c"int main(void)\00", align 1

define dso_local i32 @main() local_unnamed_addr #0 {
entry:
  %a = alloca i64, align 8
  %b = alloca i64, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %a) #5
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %b) #5
  %call = call i32 @pthread_create(ptr noundef nonnull %a, ptr noundef null, ptr noundef nonnull @work, ptr noundef null) #5
  %call1 = call i32 @pthread_create(ptr noundef nonnull %b, ptr noundef null, ptr noundef nonnull @work, ptr noundef nonnull inttoptr (i64 1 to ptr)) #5
  store atomic i32 1, ptr @requests release, align 4
  store atomic i32 1, ptr getelementptr inbounds ([2 x i32], ptr @requests, i64 0, i64 1) release, align 4
  br label %while.cond

while.cond:                                       ; preds = %while.cond, %entry
  %0 = load atomic i32, ptr @answers acquire, align 4
  %tobool.not = icmp eq i32 %0, 0
  br i1 %tobool.not, label %while.cond, label %while.cond3, !llvm.loop !5

while.cond3:                                      ; preds = %while.cond, %while.cond3
  %1 = load atomic i32, ptr getelementptr inbounds ([2 x i32], ptr @answers, i64 0, i64 1) acquire, align 4
  %tobool5.not = icmp eq i32 %1, 0
  br i1 %tobool5.not, label %while.cond3, label %while.end8, !llvm.loop !8

while.end8:                                       ; preds = %while.cond3
  %2 = load i32, ptr @results, align 4, !tbaa !9
  %3 = load i32, ptr getelementptr inbounds ([2 x i32], ptr @results, i64 0, i64 1), align 4, !tbaa !9
  %add = add nsw i32 %3, %2
  %cmp = icmp eq i32 %add, 3
  br i1 %cmp, label %if.end, label %if.else

if.else:                                          ; preds = %while.end8
  call void @__assert_fail(ptr noundef nonnull @.str, ptr noundef nonnull @.str.1, i32 noundef 26, ptr noundef nonnull @__PRETTY_FUNCTION__.main) #6
  unreachable

if.end:                                           ; preds = %while.end8
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %b) #5
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %a) #5
  ret i32 0
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

define internal noalias ptr @work(ptr noundef %number) #3 {
entry:
  %0 = ptrtoint ptr %number to i64
  %sext = shl i64 %0, 32
  %idxprom = ashr exact i64 %sext, 32
  %arrayidx = getelementptr inbounds [2 x i32], ptr @requests, i64 0, i64 %idxprom
  br label %while.cond

while.cond:                                       ; preds = %while.cond, %entry
  %1 = load atomic i32, ptr %arrayidx acquire, align 4
  %tobool.not = icmp eq i32 %1, 0
  br i1 %tobool.not, label %while.cond, label %while.end, !llvm.loop !13

while.end:                                        ; preds = %while.cond
  %conv = trunc i64 %0 to i32
  %add = add nsw i32 %conv, 1
  %arrayidx2 = getelementptr inbounds [2 x i32], ptr @results, i64 0, i64 %idxprom
  store i32 %add, ptr %arrayidx2, align 4, !tbaa !9
  %arrayidx4 = getelementptr inbounds [2 x i32], ptr @answers, i64 0, i64 %idxprom
  store atomic i32 1, ptr %arrayidx4 monotonic, align 4
  ret ptr null
}

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef) local_unnamed_addr #4

declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nofree norecurse nounwind memory(readwrite, argmem: none, inaccessiblemem: none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { noreturn nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { nounwind }
attributes #6 = { noreturn nounwind }

!llvm.module.flags = !{!0, !1, !2, !3}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 16.0.6 (15~deb12u1)"}
!5 = distinct !{!5, !6, !7}
!6 = !{!"llvm.loop.mustprogress"}
!7 = !{!"llvm.loop.unroll.disable"}
!8 = distinct !{!8, !6, !7}
!9 = !{!10, !10, i64 0}
!10 = !{!"int", !11, i64 0}
!11 = !{!"omnipotent char", !12, i64 0}
!12 = !{!"Simple C/C++ TBAA"}
!13 = distinct !{!13, !6, !7}
