; A mailbox of one place: its receiver empties it by a relaxed store
; REF: ISO C17, 5.1.2.4; LLVM LangRef, br
; From mailbox.c: clang -O1 -S -emit-llvm -fno-discard-value-names -DEMPTY=rlx mailbox.c
; What is sent next races with the branch on what was sent, and is there only once the receiver has gone past that branch.
; EXPECT: rc11=Never+race llvm=Never+ub-undef amdgpu=Never+ub-undef

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@read_so_far = dso_local global i32 0, align 4
@.str = private unnamed_addr constant [17 x i8] c"read_so_far == 2\00", align 1
@.str.1 = private unnamed_addr constant [10 x i8] c"mailbox.c\00", align 1
@__PRETTY_FUNCTION__.main = private unnamed_addr constant [15 x i8] c"int main(void)\00", align 1
@letter = dso_local local_unnamed_addr global i32 0, align 4
@full = dso_local local_unnamed_addr global i32 0, align 4

; Function Attrs: nounwind uwtable
define dso_local i32 @main() local_unnamed_addr #0 {
entry:
  %a = alloca i64, align 8
  %b = alloca i64, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %a) #6
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %b) #6
  %call = call i32 @pthread_create(ptr noundef nonnull %a, ptr noundef null, ptr noundef nonnull @sends, ptr noundef null) #6
  %call1 = call i32 @pthread_create(ptr noundef nonnull %b, ptr noundef null, ptr noundef nonnull @receives, ptr noundef null) #6
  %0 = load i64, ptr %a, align 8, !tbaa !5
  %call2 = call i32 @pthread_join(i64 noundef %0, ptr noundef null) #6
  %1 = load i64, ptr %b, align 8, !tbaa !5
  %call3 = call i32 @pthread_join(i64 noundef %1, ptr noundef null) #6
  %atomic-load = load atomic i32, ptr @read_so_far seq_cst, align 4, !tbaa !9
  %cmp = icmp eq i32 %atomic-load, 2
  br i1 %cmp, label %if.end, label %if.else

if.else:                                          ; preds = %entry
  call void @__assert_fail(ptr noundef nonnull @.str, ptr noundef nonnull @.str.1, i32 noundef 36, ptr noundef nonnull @__PRETTY_FUNCTION__.main) #7
  unreachable

if.end:                                           ; preds = %entry
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %b) #6
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %a) #6
  ret i32 0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: nounwind
declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

; Function Attrs: nofree norecurse nounwind memory(readwrite, argmem: none, inaccessiblemem: none) uwtable
define internal noalias ptr @sends(ptr nocapture readnone %unused) #3 {
entry:
  br label %while.cond.preheader

while.cond.preheader:                             ; preds = %entry, %while.end
  %i.03 = phi i32 [ 1, %entry ], [ %inc, %while.end ]
  br label %while.cond

for.cond.cleanup:                                 ; preds = %while.end
  ret ptr null

while.cond:                                       ; preds = %while.cond.preheader, %while.cond
  %0 = load atomic i32, ptr @full acquire, align 4
  %tobool.not = icmp eq i32 %0, 0
  br i1 %tobool.not, label %while.end, label %while.cond, !llvm.loop !10

while.end:                                        ; preds = %while.cond
  store i32 %i.03, ptr @letter, align 4, !tbaa !13
  store atomic i32 1, ptr @full release, align 4
  %inc = add nuw nsw i32 %i.03, 1
  %exitcond.not = icmp eq i32 %inc, 3
  br i1 %exitcond.not, label %for.cond.cleanup, label %while.cond.preheader, !llvm.loop !15
}

; Function Attrs: nofree norecurse nounwind memory(readwrite, argmem: none, inaccessiblemem: none) uwtable
define internal noalias ptr @receives(ptr nocapture readnone %unused) #3 {
entry:
  br label %while.cond.preheader

while.cond.preheader:                             ; preds = %entry, %if.end
  %i.06 = phi i32 [ 1, %entry ], [ %inc, %if.end ]
  br label %while.cond

for.cond.cleanup:                                 ; preds = %if.end
  ret ptr null

while.cond:                                       ; preds = %while.cond.preheader, %while.cond
  %0 = load atomic i32, ptr @full acquire, align 4
  %tobool.not = icmp eq i32 %0, 0
  br i1 %tobool.not, label %while.cond, label %while.end, !llvm.loop !16

while.end:                                        ; preds = %while.cond
  %1 = load i32, ptr @letter, align 4, !tbaa !13
  %cmp1 = icmp eq i32 %1, %i.06
  br i1 %cmp1, label %if.then, label %if.end

if.then:                                          ; preds = %while.end
  %2 = atomicrmw add ptr @read_so_far, i32 1 monotonic, align 4
  br label %if.end

if.end:                                           ; preds = %if.then, %while.end
  store atomic i32 0, ptr @full monotonic, align 4
  %inc = add nuw nsw i32 %i.06, 1
  %exitcond.not = icmp eq i32 %inc, 3
  br i1 %exitcond.not, label %for.cond.cleanup, label %while.cond.preheader, !llvm.loop !17
}

declare i32 @pthread_join(i64 noundef, ptr noundef) local_unnamed_addr #4

; Function Attrs: noreturn nounwind
declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef) local_unnamed_addr #5

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nofree norecurse nounwind memory(readwrite, argmem: none, inaccessiblemem: none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { noreturn nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { nounwind }
attributes #7 = { noreturn nounwind }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 16.0.6 (15~deb12u1)"}
!5 = !{!6, !6, i64 0}
!6 = !{!"long", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C/C++ TBAA"}
!9 = !{!7, !7, i64 0}
!10 = distinct !{!10, !11, !12}
!11 = !{!"llvm.loop.mustprogress"}
!12 = !{!"llvm.loop.unroll.disable"}
!13 = !{!14, !14, i64 0}
!14 = !{!"int", !7, i64 0}
!15 = distinct !{!15, !11, !12}
!16 = distinct !{!16, !11, !12}
!17 = distinct !{!17, !11, !12}
