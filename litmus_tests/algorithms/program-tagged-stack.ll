; A stack whose top is a node and a count of changes in one word
; REF: Michael, Scott: Simple, fast, and practical non-blocking and blocking concurrent queue algorithms, PODC 1996
; From tagged-stack.c: clang -O1 -S -emit-llvm -fno-discard-value-names tagged-stack.c
; EXPECT: rc11=Never llvm=Never amdgpu=Never

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.node = type { ptr, i32 }

@second = dso_local global %struct.node zeroinitializer, align 8
@first = dso_local global %struct.node zeroinitializer, align 8
@top = dso_local global i64 0, align 8
@.str = private unnamed_addr constant [13 x i8] c"!node->taken\00", align 1
@.str.1 = private unnamed_addr constant [15 x i8] c"tagged-stack.c\00", align 1
@__PRETTY_FUNCTION__.take = private unnamed_addr constant [25 x i8] c"void take(struct node *)\00", align 1

; Function Attrs: nounwind uwtable
define dso_local noalias ptr @keeps(ptr nocapture readnone %unused) #0 {
entry:
  %0 = load atomic i64, ptr @top acquire, align 8
  br label %land.rhs.i

for.cond.i:                                       ; preds = %for.body.i
  %inc.i = add nuw nsw i32 %tries.020.i, 1
  %cmp.i = icmp eq i32 %tries.020.i, 0
  br i1 %cmp.i, label %land.rhs.i, label %pop.exit, !llvm.loop !5

land.rhs.i:                                       ; preds = %for.cond.i, %entry
  %retval.022.i = phi ptr [ undef, %entry ], [ %retval.1.i, %for.cond.i ]
  %word.021.i = phi i64 [ %0, %entry ], [ %5, %for.cond.i ]
  %tries.020.i = phi i32 [ 0, %entry ], [ %inc.i, %for.cond.i ]
  %and.i.i = and i64 %word.021.i, 281474976710655
  %tobool.not.i = icmp eq i64 %and.i.i, 0
  br i1 %tobool.not.i, label %pop.exit, label %for.body.i

for.body.i:                                       ; preds = %land.rhs.i
  %1 = inttoptr i64 %and.i.i to ptr
  %2 = load atomic i64, ptr %1 monotonic, align 8
  %shr.i.i = and i64 %word.021.i, -281474976710656
  %shl.i.i = add i64 %shr.i.i, 281474976710656
  %or.i.i = or i64 %2, %shl.i.i
  %3 = cmpxchg ptr @top, i64 %word.021.i, i64 %or.i.i acq_rel acquire, align 8
  %4 = extractvalue { i64, i1 } %3, 1
  %5 = extractvalue { i64, i1 } %3, 0
  %and.i19.i = and i64 %5, 281474976710655
  %6 = inttoptr i64 %and.i19.i to ptr
  %retval.1.i = select i1 %4, ptr %6, ptr %retval.022.i
  br i1 %4, label %pop.exit, label %for.cond.i

pop.exit:                                         ; preds = %for.cond.i, %land.rhs.i, %for.body.i
  %cond.i = phi ptr [ %retval.1.i, %for.body.i ], [ null, %for.cond.i ], [ null, %land.rhs.i ]
  %tobool.not.i1 = icmp eq ptr %cond.i, null
  br i1 %tobool.not.i1, label %take.exit, label %if.then.i

if.then.i:                                        ; preds = %pop.exit
  %taken.i = getelementptr inbounds %struct.node, ptr %cond.i, i64 0, i32 1
  %7 = load i32, ptr %taken.i, align 8, !tbaa !8
  %tobool1.not.i = icmp eq i32 %7, 0
  br i1 %tobool1.not.i, label %if.end.i, label %if.else.i

if.else.i:                                        ; preds = %if.then.i
  tail call void @__assert_fail(ptr noundef nonnull @.str, ptr noundef nonnull @.str.1, i32 noundef 39, ptr noundef nonnull @__PRETTY_FUNCTION__.take) #5
  unreachable

if.end.i:                                         ; preds = %if.then.i
  store i32 1, ptr %taken.i, align 8, !tbaa !8
  br label %take.exit

take.exit:                                        ; preds = %pop.exit, %if.end.i
  ret ptr null
}

; Function Attrs: nounwind uwtable
define dso_local noalias ptr @gives_back(ptr nocapture readnone %unused) #0 {
entry:
  %0 = load atomic i64, ptr @top acquire, align 8
  br label %land.rhs.i

for.cond.i:                                       ; preds = %for.body.i
  %inc.i = add nuw nsw i32 %tries.020.i, 1
  %cmp.i = icmp eq i32 %tries.020.i, 0
  br i1 %cmp.i, label %land.rhs.i, label %pop.exit, !llvm.loop !5

land.rhs.i:                                       ; preds = %for.cond.i, %entry
  %retval.022.i = phi ptr [ undef, %entry ], [ %retval.1.i, %for.cond.i ]
  %word.021.i = phi i64 [ %0, %entry ], [ %5, %for.cond.i ]
  %tries.020.i = phi i32 [ 0, %entry ], [ %inc.i, %for.cond.i ]
  %and.i.i = and i64 %word.021.i, 281474976710655
  %tobool.not.i = icmp eq i64 %and.i.i, 0
  br i1 %tobool.not.i, label %pop.exit, label %for.body.i

for.body.i:                                       ; preds = %land.rhs.i
  %1 = inttoptr i64 %and.i.i to ptr
  %2 = load atomic i64, ptr %1 monotonic, align 8
  %shr.i.i = and i64 %word.021.i, -281474976710656
  %shl.i.i = add i64 %shr.i.i, 281474976710656
  %or.i.i = or i64 %2, %shl.i.i
  %3 = cmpxchg ptr @top, i64 %word.021.i, i64 %or.i.i acq_rel acquire, align 8
  %4 = extractvalue { i64, i1 } %3, 1
  %5 = extractvalue { i64, i1 } %3, 0
  %and.i19.i = and i64 %5, 281474976710655
  %6 = inttoptr i64 %and.i19.i to ptr
  %retval.1.i = select i1 %4, ptr %6, ptr %retval.022.i
  br i1 %4, label %pop.exit, label %for.cond.i

pop.exit:                                         ; preds = %for.cond.i, %land.rhs.i, %for.body.i
  %cond.i = phi ptr [ %retval.1.i, %for.body.i ], [ null, %for.cond.i ], [ null, %land.rhs.i ]
  %7 = load atomic i64, ptr @top acquire, align 8
  br label %land.rhs.i11

for.cond.i5:                                      ; preds = %for.body.i17
  %inc.i3 = add nuw nsw i32 %tries.020.i8, 1
  %cmp.i4 = icmp eq i32 %tries.020.i8, 0
  br i1 %cmp.i4, label %land.rhs.i11, label %pop.exit19, !llvm.loop !5

land.rhs.i11:                                     ; preds = %for.cond.i5, %pop.exit
  %retval.022.i6 = phi ptr [ undef, %pop.exit ], [ %retval.1.i16, %for.cond.i5 ]
  %word.021.i7 = phi i64 [ %7, %pop.exit ], [ %12, %for.cond.i5 ]
  %tries.020.i8 = phi i32 [ 0, %pop.exit ], [ %inc.i3, %for.cond.i5 ]
  %and.i.i9 = and i64 %word.021.i7, 281474976710655
  %tobool.not.i10 = icmp eq i64 %and.i.i9, 0
  br i1 %tobool.not.i10, label %pop.exit19, label %for.body.i17

for.body.i17:                                     ; preds = %land.rhs.i11
  %8 = inttoptr i64 %and.i.i9 to ptr
  %9 = load atomic i64, ptr %8 monotonic, align 8
  %shr.i.i12 = and i64 %word.021.i7, -281474976710656
  %shl.i.i13 = add i64 %shr.i.i12, 281474976710656
  %or.i.i14 = or i64 %9, %shl.i.i13
  %10 = cmpxchg ptr @top, i64 %word.021.i7, i64 %or.i.i14 acq_rel acquire, align 8
  %11 = extractvalue { i64, i1 } %10, 1
  %12 = extractvalue { i64, i1 } %10, 0
  %and.i19.i15 = and i64 %12, 281474976710655
  %13 = inttoptr i64 %and.i19.i15 to ptr
  %retval.1.i16 = select i1 %11, ptr %13, ptr %retval.022.i6
  br i1 %11, label %pop.exit19, label %for.cond.i5

pop.exit19:                                       ; preds = %for.cond.i5, %land.rhs.i11, %for.body.i17
  %cond.i18 = phi ptr [ %retval.1.i16, %for.body.i17 ], [ null, %for.cond.i5 ], [ null, %land.rhs.i11 ]
  %tobool.not.i20 = icmp eq ptr %cond.i18, null
  br i1 %tobool.not.i20, label %take.exit, label %if.then.i

if.then.i:                                        ; preds = %pop.exit19
  %taken.i = getelementptr inbounds %struct.node, ptr %cond.i18, i64 0, i32 1
  %14 = load i32, ptr %taken.i, align 8, !tbaa !8
  %tobool1.not.i = icmp eq i32 %14, 0
  br i1 %tobool1.not.i, label %if.end.i, label %if.else.i

if.else.i:                                        ; preds = %if.then.i
  tail call void @__assert_fail(ptr noundef nonnull @.str, ptr noundef nonnull @.str.1, i32 noundef 39, ptr noundef nonnull @__PRETTY_FUNCTION__.take) #5
  unreachable

if.end.i:                                         ; preds = %if.then.i
  store i32 1, ptr %taken.i, align 8, !tbaa !8
  br label %take.exit

take.exit:                                        ; preds = %pop.exit19, %if.end.i
  %tobool.not = icmp eq ptr %cond.i, null
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %take.exit
  %15 = load atomic i64, ptr @top monotonic, align 8
  %16 = ptrtoint ptr %cond.i to i64
  br label %do.body.i

do.body.i:                                        ; preds = %do.body.i, %if.then
  %word.0.i = phi i64 [ %15, %if.then ], [ %19, %do.body.i ]
  %and.i.i21 = and i64 %word.0.i, 281474976710655
  store atomic i64 %and.i.i21, ptr %cond.i monotonic, align 8
  %shr.i.i22 = and i64 %word.0.i, -281474976710656
  %shl.i.i23 = add i64 %shr.i.i22, 281474976710656
  %or.i.i24 = or i64 %shl.i.i23, %16
  %17 = cmpxchg ptr @top, i64 %word.0.i, i64 %or.i.i24 release monotonic, align 8
  %18 = extractvalue { i64, i1 } %17, 1
  %19 = extractvalue { i64, i1 } %17, 0
  br i1 %18, label %if.end, label %do.body.i, !llvm.loop !13

if.end:                                           ; preds = %do.body.i, %take.exit
  ret ptr null
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: nounwind uwtable
define dso_local i32 @main() local_unnamed_addr #0 {
entry:
  %a = alloca i64, align 8
  %b = alloca i64, align 8
  store atomic i64 ptrtoint (ptr @second to i64), ptr @first seq_cst, align 8, !tbaa !14
  store atomic i64 ptrtoint (ptr @first to i64), ptr @top seq_cst, align 8, !tbaa !15
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %a) #6
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %b) #6
  %call = call i32 @pthread_create(ptr noundef nonnull %a, ptr noundef null, ptr noundef nonnull @keeps, ptr noundef null) #6
  %call1 = call i32 @pthread_create(ptr noundef nonnull %b, ptr noundef null, ptr noundef nonnull @gives_back, ptr noundef null) #6
  %0 = load i64, ptr %a, align 8, !tbaa !16
  %call2 = call i32 @pthread_join(i64 noundef %0, ptr noundef null) #6
  %1 = load i64, ptr %b, align 8, !tbaa !16
  %call3 = call i32 @pthread_join(i64 noundef %1, ptr noundef null) #6
  %2 = load atomic i64, ptr @top acquire, align 8
  br label %land.rhs.i

for.cond.i:                                       ; preds = %for.body.i
  %inc.i = add nuw nsw i32 %tries.020.i, 1
  %cmp.i = icmp eq i32 %tries.020.i, 0
  br i1 %cmp.i, label %land.rhs.i, label %pop.exit, !llvm.loop !5

land.rhs.i:                                       ; preds = %for.cond.i, %entry
  %retval.022.i = phi ptr [ undef, %entry ], [ %retval.1.i, %for.cond.i ]
  %word.021.i = phi i64 [ %2, %entry ], [ %7, %for.cond.i ]
  %tries.020.i = phi i32 [ 0, %entry ], [ %inc.i, %for.cond.i ]
  %and.i.i = and i64 %word.021.i, 281474976710655
  %tobool.not.i = icmp eq i64 %and.i.i, 0
  br i1 %tobool.not.i, label %pop.exit, label %for.body.i

for.body.i:                                       ; preds = %land.rhs.i
  %3 = inttoptr i64 %and.i.i to ptr
  %4 = load atomic i64, ptr %3 monotonic, align 8
  %shr.i.i = and i64 %word.021.i, -281474976710656
  %shl.i.i = add i64 %shr.i.i, 281474976710656
  %or.i.i = or i64 %4, %shl.i.i
  %5 = cmpxchg ptr @top, i64 %word.021.i, i64 %or.i.i acq_rel acquire, align 8
  %6 = extractvalue { i64, i1 } %5, 1
  %7 = extractvalue { i64, i1 } %5, 0
  %and.i19.i = and i64 %7, 281474976710655
  %8 = inttoptr i64 %and.i19.i to ptr
  %retval.1.i = select i1 %6, ptr %8, ptr %retval.022.i
  br i1 %6, label %pop.exit, label %for.cond.i

pop.exit:                                         ; preds = %for.cond.i, %land.rhs.i, %for.body.i
  %cond.i = phi ptr [ %retval.1.i, %for.body.i ], [ null, %for.cond.i ], [ null, %land.rhs.i ]
  %tobool.not.i5 = icmp eq ptr %cond.i, null
  br i1 %tobool.not.i5, label %take.exit, label %if.then.i

if.then.i:                                        ; preds = %pop.exit
  %taken.i = getelementptr inbounds %struct.node, ptr %cond.i, i64 0, i32 1
  %9 = load i32, ptr %taken.i, align 8, !tbaa !8
  %tobool1.not.i = icmp eq i32 %9, 0
  br i1 %tobool1.not.i, label %if.end.i, label %if.else.i

if.else.i:                                        ; preds = %if.then.i
  call void @__assert_fail(ptr noundef nonnull @.str, ptr noundef nonnull @.str.1, i32 noundef 39, ptr noundef nonnull @__PRETTY_FUNCTION__.take) #5
  unreachable

if.end.i:                                         ; preds = %if.then.i
  store i32 1, ptr %taken.i, align 8, !tbaa !8
  br label %take.exit

take.exit:                                        ; preds = %pop.exit, %if.end.i
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %b) #6
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %a) #6
  ret i32 0
}

; Function Attrs: nounwind
declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

declare i32 @pthread_join(i64 noundef, ptr noundef) local_unnamed_addr #3

; Function Attrs: noreturn nounwind
declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef) local_unnamed_addr #4

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { noreturn nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { noreturn nounwind }
attributes #6 = { nounwind }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 16.0.6 (15~deb12u1)"}
!5 = distinct !{!5, !6, !7}
!6 = !{!"llvm.loop.mustprogress"}
!7 = !{!"llvm.loop.unroll.disable"}
!8 = !{!9, !12, i64 8}
!9 = !{!"node", !10, i64 0, !12, i64 8}
!10 = !{!"omnipotent char", !11, i64 0}
!11 = !{!"Simple C/C++ TBAA"}
!12 = !{!"int", !10, i64 0}
!13 = distinct !{!13, !6, !7}
!14 = !{!9, !10, i64 0}
!15 = !{!10, !10, i64 0}
!16 = !{!17, !17, i64 0}
!17 = !{!"long", !10, i64 0}
