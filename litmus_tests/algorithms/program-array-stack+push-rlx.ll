; A stack of nodes in an array: two threads push, one looks at what is there: the push is relaxed
; REF: Treiber: Systems programming: coping with parallelism, 1986
; From array-stack.c: clang -O1 -S -emit-llvm -fno-discard-value-names -DPUSH=memory_order_relaxed array-stack.c
; EXPECT: rc11=Sometimes+assert+race llvm=Never+ub+ub-undef amdgpu=Never+ub+ub-undef

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.node = type { ptr, i32 }

@nodes = dso_local global [2 x %struct.node] zeroinitializer, align 16
@top = dso_local global ptr null, align 8
@.str = private unnamed_addr constant [13 x i8] c"sum == found\00", align 1
@.str.1 = private unnamed_addr constant [14 x i8] c"array-stack.c\00", align 1
@__PRETTY_FUNCTION__.look = private unnamed_addr constant [19 x i8] c"void *look(void *)\00", align 1

define dso_local noalias ptr @push(ptr noundef %number) #0 {
entry:
  %0 = ptrtoint ptr %number to i64
  %arrayidx = getelementptr inbounds [2 x %struct.node], ptr @nodes, i64 0, i64 %0
  %1 = load atomic i64, ptr @top monotonic, align 8
  %2 = inttoptr i64 %1 to ptr
  %value = getelementptr inbounds [2 x %struct.node], ptr @nodes, i64 0, i64 %0, i32 1
  store i32 1, ptr %value, align 8, !tbaa !5
  %3 = ptrtoint ptr %arrayidx to i64
  br label %do.body

do.body:                                          ; preds = %do.body, %entry
  %old.0 = phi ptr [ %2, %entry ], [ %old.1, %do.body ]
  %4 = ptrtoint ptr %old.0 to i64
  %5 = cmpxchg weak ptr @top, i64 %4, i64 %3 monotonic monotonic, align 8
  %6 = extractvalue { i64, i1 } %5, 1
  %7 = extractvalue { i64, i1 } %5, 0
  %8 = inttoptr i64 %7 to ptr
  %old.1 = select i1 %6, ptr %old.0, ptr %8
  br i1 %6, label %do.end, label %do.body, !llvm.loop !11

do.end:                                           ; preds = %do.body
  store ptr %old.0, ptr %arrayidx, align 16, !tbaa !14
  ret ptr null
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

define dso_local noalias ptr @look(ptr nocapture readnone %unused) #2 {
entry:
  %0 = load atomic i64, ptr @top acquire, align 8
  %tobool.not5 = icmp eq i64 %0, 0
  br i1 %tobool.not5, label %for.cond.cleanup, label %for.body.preheader

for.body.preheader:                               ; preds = %entry
  %1 = inttoptr i64 %0 to ptr
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body, %entry
  %sum.0.lcssa = phi i32 [ 0, %entry ], [ %add, %for.body ]
  %found.0.lcssa = phi i32 [ 0, %entry ], [ %inc, %for.body ]
  %cmp = icmp eq i32 %sum.0.lcssa, %found.0.lcssa
  br i1 %cmp, label %if.end, label %if.else

for.body:                                         ; preds = %for.body.preheader, %for.body
  %found.08 = phi i32 [ %inc, %for.body ], [ 0, %for.body.preheader ]
  %node.07 = phi ptr [ %3, %for.body ], [ %1, %for.body.preheader ]
  %sum.06 = phi i32 [ %add, %for.body ], [ 0, %for.body.preheader ]
  %value = getelementptr inbounds %struct.node, ptr %node.07, i64 0, i32 1
  %2 = load i32, ptr %value, align 8, !tbaa !5
  %add = add nsw i32 %2, %sum.06
  %3 = load ptr, ptr %node.07, align 8, !tbaa !14
  %inc = add nuw nsw i32 %found.08, 1
  %tobool.not = icmp eq ptr %3, null
  br i1 %tobool.not, label %for.cond.cleanup, label %for.body, !llvm.loop !15

if.else:                                          ; preds = %for.cond.cleanup
  tail call void @__assert_fail(ptr noundef nonnull @.str, ptr noundef nonnull @.str.1, i32 noundef 34, ptr noundef nonnull @__PRETTY_FUNCTION__.look) #6
  unreachable

if.end:                                           ; preds = %for.cond.cleanup
  ret ptr null
}

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef) local_unnamed_addr #3

define dso_local i32 @main() local_unnamed_addr #2 {
entry:
  %threads = alloca [3 x i64], align 16
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %threads) #7
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body
  %arrayidx1 = getelementptr inbounds [3 x i64], ptr %threads, i64 0, i64 2
  %call2 = call i32 @pthread_create(ptr noundef nonnull %arrayidx1, ptr noundef null, ptr noundef nonnull @look, ptr noundef null) #7
  br label %for.body7

for.body:                                         ; preds = %entry, %for.body
  %number.018 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %arrayidx = getelementptr inbounds [3 x i64], ptr %threads, i64 0, i64 %number.018
  %0 = inttoptr i64 %number.018 to ptr
  %call = call i32 @pthread_create(ptr noundef nonnull %arrayidx, ptr noundef null, ptr noundef nonnull @push, ptr noundef %0) #7
  %inc = add nuw nsw i64 %number.018, 1
  %cmp = icmp eq i64 %number.018, 0
  br i1 %cmp, label %for.body, label %for.cond.cleanup, !llvm.loop !16

for.cond.cleanup6:                                ; preds = %for.body7
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %threads) #7
  ret i32 0

for.body7:                                        ; preds = %for.cond.cleanup, %for.body7
  %indvars.iv = phi i64 [ 0, %for.cond.cleanup ], [ %indvars.iv.next, %for.body7 ]
  %arrayidx8 = getelementptr inbounds [3 x i64], ptr %threads, i64 0, i64 %indvars.iv
  %1 = load i64, ptr %arrayidx8, align 8, !tbaa !17
  %call9 = call i32 @pthread_join(i64 noundef %1, ptr noundef null) #7
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, 3
  br i1 %exitcond.not, label %for.cond.cleanup6, label %for.body7, !llvm.loop !19
}

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #4

declare i32 @pthread_join(i64 noundef, ptr noundef) local_unnamed_addr #5

attributes #0 = { nofree norecurse nounwind memory(readwrite, argmem: none, inaccessiblemem: none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { noreturn nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { noreturn nounwind }
attributes #7 = { nounwind }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 16.0.6 (15~deb12u1)"}
!5 = !{!6, !10, i64 8}
!6 = !{!"node", !7, i64 0, !10, i64 8}
!7 = !{!"any pointer", !8, i64 0}
!8 = !{!"omnipotent char", !9, i64 0}
!9 = !{!"Simple C/C++ TBAA"}
!10 = !{!"int", !8, i64 0}
!11 = distinct !{!11, !12, !13}
!12 = !{!"llvm.loop.mustprogress"}
!13 = !{!"llvm.loop.unroll.disable"}
!14 = !{!6, !7, i64 0}
!15 = distinct !{!15, !12, !13}
!16 = distinct !{!16, !12, !13}
!17 = !{!18, !18, i64 0}
!18 = !{!"long", !8, i64 0}
!19 = distinct !{!19, !12, !13}
