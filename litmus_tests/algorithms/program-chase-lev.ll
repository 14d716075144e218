; The deque of Chase and Lev with two tasks in it: its owner takes the second while a thief steals, twice
; REF: Le, Pop, Cohen, Zappa Nardelli: Correct and efficient work-stealing for weak memory models, PPoPP 2013
; From chase-lev.c: clang -O1 -S -emit-llvm -fno-discard-value-names chase-lev.c
; EXPECT: llvm=Never amdgpu=Never

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@bottom = dso_local local_unnamed_addr global i32 2, align 4
@taken = dso_local local_unnamed_addr global i32 0, align 4
@stolen = dso_local local_unnamed_addr global i32 0, align 4
@.str = private unnamed_addr constant [21 x i8] c"!taken || stolen < 2\00", align 1
@.str.1 = private unnamed_addr constant [12 x i8] c"chase-lev.c\00", align 1
@__PRETTY_FUNCTION__.main = private unnamed_addr constant [15 x i8] c"int main(void)\00", align 1
@top = dso_local global i32 0, align 4

define dso_local i32 @main() local_unnamed_addr #0 {
entry:
  %a = alloca i64, align 8
  %b = alloca i64, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %a) #7
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %b) #7
  %call = call i32 @pthread_create(ptr noundef nonnull %a, ptr noundef null, ptr noundef nonnull @owner, ptr noundef null) #7
  %call1 = call i32 @pthread_create(ptr noundef nonnull %b, ptr noundef null, ptr noundef nonnull @thief, ptr noundef null) #7
  %0 = load i64, ptr %a, align 8, !tbaa !5
  %call2 = call i32 @pthread_join(i64 noundef %0, ptr noundef null) #7
  %1 = load i64, ptr %b, align 8, !tbaa !5
  %call3 = call i32 @pthread_join(i64 noundef %1, ptr noundef null) #7
  %2 = load i32, ptr @taken, align 4, !tbaa !9
  %tobool = icmp eq i32 %2, 0
  %3 = load i32, ptr @stolen, align 4
  %cmp = icmp slt i32 %3, 2
  %or.cond = select i1 %tobool, i1 true, i1 %cmp
  br i1 %or.cond, label %if.end, label %if.else

if.else:                                          ; preds = %entry
  call void @__assert_fail(ptr noundef nonnull @.str, ptr noundef nonnull @.str.1, i32 noundef 40, ptr noundef nonnull @__PRETTY_FUNCTION__.main) #8
  unreachable

if.end:                                           ; preds = %entry
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %b) #7
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %a) #7
  ret i32 0
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

define internal noalias ptr @owner(ptr nocapture readnone %unused) #3 {
entry:
  store atomic i32 1, ptr @bottom monotonic, align 4
  fence seq_cst
  %0 = load atomic i32, ptr @top monotonic, align 4
  %cmp = icmp slt i32 %0, 1
  br i1 %cmp, label %if.then, label %if.else

if.then:                                          ; preds = %entry
  store i32 1, ptr @taken, align 4, !tbaa !9
  br label %if.end5

if.else:                                          ; preds = %entry
  %cmp1 = icmp eq i32 %0, 1
  br i1 %cmp1, label %if.then2, label %if.end

if.then2:                                         ; preds = %if.else
  %1 = cmpxchg ptr @top, i32 1, i32 2 seq_cst monotonic, align 4
  %2 = extractvalue { i32, i1 } %1, 1
  %conv = zext i1 %2 to i32
  store i32 %conv, ptr @taken, align 4, !tbaa !9
  br label %if.end

if.end:                                           ; preds = %if.then2, %if.else
  store atomic i32 2, ptr @bottom monotonic, align 4
  br label %if.end5

if.end5:                                          ; preds = %if.end, %if.then
  ret ptr null
}

define internal noalias ptr @thief(ptr nocapture readnone %unused) #4 {
entry:
  br label %for.body

for.cond.cleanup:                                 ; preds = %if.end
  ret ptr null

for.body:                                         ; preds = %entry, %if.end
  %n.08 = phi i32 [ 0, %entry ], [ %inc, %if.end ]
  %0 = load atomic i32, ptr @top acquire, align 4
  fence seq_cst
  %1 = load atomic i32, ptr @bottom acquire, align 4
  %cmp2 = icmp slt i32 %0, %1
  br i1 %cmp2, label %land.lhs.true, label %if.end

land.lhs.true:                                    ; preds = %for.body
  %add = add nsw i32 %0, 1
  %2 = cmpxchg ptr @top, i32 %0, i32 %add seq_cst monotonic, align 4
  %3 = extractvalue { i32, i1 } %2, 1
  br i1 %3, label %if.then, label %if.end

if.then:                                          ; preds = %land.lhs.true
  %add3 = add nsw i32 %0, 1
  store i32 %add3, ptr @stolen, align 4, !tbaa !9
  br label %if.end

if.end:                                           ; preds = %if.then, %land.lhs.true, %for.body
  %inc = add nuw nsw i32 %n.08, 1
  %cmp = icmp eq i32 %n.08, 0
  br i1 %cmp, label %for.body, label %for.cond.cleanup, !llvm.loop !11
}

declare i32 @pthread_join(i64 noundef, ptr noundef) local_unnamed_addr #5

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef) local_unnamed_addr #6

declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { mustprogress nofree norecurse nounwind willreturn uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { nofree norecurse nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { noreturn nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
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
!11 = distinct !{!11, !12, !13}
!12 = !{!"llvm.loop.mustprogress"}
!13 = !{!"llvm.loop.unroll.disable"}
