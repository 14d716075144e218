; A barrier by a counter: each thread writes its own slot, and then reads the other's
; From counter-barrier.c: clang -O1 -S -emit-llvm -fno-discard-value-names counter-barrier.c
; EXPECT: llvm=Never amdgpu=Never

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@arrived = dso_local global i32 0, align 4
@slots = dso_local local_unnamed_addr global [2 x i32] zeroinitializer, align 4
@.str = private unnamed_addr constant [19 x i8] c"slots[1 - me] == 1\00", align 1
@.str.1 = private unnamed_addr constant [18 x i8] c"counter-barrier.c\00", align 1
@__PRETTY_FUNCTION__.work = private unnamed_addr constant [19 x i8] c"void *work(void *)\00", align 1

define dso_local i32 @main() local_unnamed_addr #0 {
entry:
  %a = alloca i64, align 8
  %b = alloca i64, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %a) #4
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %b) #4
  %call = call i32 @pthread_create(ptr noundef nonnull %a, ptr noundef null, ptr noundef nonnull @work, ptr noundef null) #4
  %call1 = call i32 @pthread_create(ptr noundef nonnull %b, ptr noundef null, ptr noundef nonnull @work, ptr noundef nonnull inttoptr (i64 1 to ptr)) #4
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %b) #4
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %a) #4
  ret i32 0
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

define internal noalias ptr @work(ptr noundef %number) #0 {
entry:
  %0 = ptrtoint ptr %number to i64
  %sext = shl i64 %0, 32
  %idxprom = ashr exact i64 %sext, 32
  %arrayidx = getelementptr inbounds [2 x i32], ptr @slots, i64 0, i64 %idxprom
  store i32 1, ptr %arrayidx, align 4, !tbaa !5
  %1 = atomicrmw add ptr @arrived, i32 1 acq_rel, align 4
  br label %while.cond

while.cond:                                       ; preds = %while.cond, %entry
  %2 = load atomic i32, ptr @arrived acquire, align 4
  %cmp.not = icmp eq i32 %2, 2
  br i1 %cmp.not, label %while.end, label %while.cond, !llvm.loop !9

while.end:                                        ; preds = %while.cond
  %sext8 = sub i64 4294967296, %sext
  %idxprom3 = ashr exact i64 %sext8, 32
  %arrayidx4 = getelementptr inbounds [2 x i32], ptr @slots, i64 0, i64 %idxprom3
  %3 = load i32, ptr %arrayidx4, align 4, !tbaa !5
  %cmp5 = icmp eq i32 %3, 1
  br i1 %cmp5, label %if.end, label %if.else

if.else:                                          ; preds = %while.end
  tail call void @__assert_fail(ptr noundef nonnull @.str, ptr noundef nonnull @.str.1, i32 noundef 17, ptr noundef nonnull @__PRETTY_FUNCTION__.work) #5
  unreachable

if.end:                                           ; preds = %while.end
  ret ptr null
}

declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef) local_unnamed_addr #3

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { noreturn nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { nounwind }
attributes #5 = { noreturn nounwind }

!llvm.module.flags = !{!0, !1, !2, !3}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 16.0.6 (15~deb12u1)"}
!5 = !{!6, !6, i64 0}
!6 = !{!"int", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C/C++ TBAA"}
!9 = distinct !{!9, !10, !11}
!10 = !{!"llvm.loop.mustprogress"}
!11 = !{!"llvm.loop.unroll.disable"}
