; A hash table with open addressing: two threads insert keys that meet at one place
; From hash-table.c: clang -O1 -S -emit-llvm -fno-discard-value-names hash-table.c
; EXPECT: llvm=Never amdgpu=Never

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@table = dso_local global [4 x i32] zeroinitializer, align 16
@.str = private unnamed_addr constant [49 x i8] c"load(&table[1], rlx) + load(&table[2], rlx) == 4\00", align 1
@.str.1 = private unnamed_addr constant [13 x i8] c"hash-table.c\00", align 1
@__PRETTY_FUNCTION__.main = private unnamed_addr constant [15 x i8] c"int main(void)\00", align 1

define dso_local i32 @main() local_unnamed_addr #0 {
entry:
  %a = alloca i64, align 8
  %b = alloca i64, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %a) #6
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %b) #6
  %call = call i32 @pthread_create(ptr noundef nonnull %a, ptr noundef null, ptr noundef nonnull @work, ptr noundef nonnull inttoptr (i64 1 to ptr)) #6
  %call1 = call i32 @pthread_create(ptr noundef nonnull %b, ptr noundef null, ptr noundef nonnull @work, ptr noundef nonnull inttoptr (i64 3 to ptr)) #6
  %0 = load i64, ptr %a, align 8, !tbaa !5
  %call2 = call i32 @pthread_join(i64 noundef %0, ptr noundef null) #6
  %1 = load i64, ptr %b, align 8, !tbaa !5
  %call3 = call i32 @pthread_join(i64 noundef %1, ptr noundef null) #6
  %2 = load atomic i32, ptr getelementptr inbounds ([4 x i32], ptr @table, i64 0, i64 1) monotonic, align 4
  %3 = load atomic i32, ptr getelementptr inbounds ([4 x i32], ptr @table, i64 0, i64 2) monotonic, align 8
  %add = add nsw i32 %3, %2
  %cmp = icmp eq i32 %add, 4
  br i1 %cmp, label %if.end, label %if.else

if.else:                                          ; preds = %entry
  call void @__assert_fail(ptr noundef nonnull @.str, ptr noundef nonnull @.str.1, i32 noundef 25, ptr noundef nonnull @__PRETTY_FUNCTION__.main) #7
  unreachable

if.end:                                           ; preds = %entry
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %b) #6
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %a) #6
  ret i32 0
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

define internal noalias ptr @work(ptr noundef %key) #3 {
entry:
  %0 = ptrtoint ptr %key to i64
  %conv = trunc i64 %0 to i32
  %idxprom6.i = and i64 %0, 1
  %arrayidx7.i = getelementptr inbounds [4 x i32], ptr @table, i64 0, i64 %idxprom6.i
  %1 = cmpxchg ptr %arrayidx7.i, i32 0, i32 %conv monotonic monotonic, align 4
  %2 = extractvalue { i32, i1 } %1, 1
  br i1 %2, label %insert.exit, label %for.inc.i.preheader

for.inc.i.preheader:                              ; preds = %entry
  %and.i = and i32 %conv, 1
  br label %for.inc.i

for.inc.i:                                        ; preds = %for.inc.i.preheader, %for.inc.i
  %place.08.i = phi i32 [ %and1.i, %for.inc.i ], [ %and.i, %for.inc.i.preheader ]
  %add.i = add nuw nsw i32 %place.08.i, 1
  %and1.i = and i32 %add.i, 3
  %idxprom.i = zext i32 %and1.i to i64
  %arrayidx.i = getelementptr inbounds [4 x i32], ptr @table, i64 0, i64 %idxprom.i
  %3 = cmpxchg ptr %arrayidx.i, i32 0, i32 %conv monotonic monotonic, align 4
  %4 = extractvalue { i32, i1 } %3, 1
  br i1 %4, label %insert.exit, label %for.inc.i, !llvm.loop !9

insert.exit:                                      ; preds = %for.inc.i, %entry
  ret ptr null
}

declare i32 @pthread_join(i64 noundef, ptr noundef) local_unnamed_addr #4

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef) local_unnamed_addr #5

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

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 16.0.6 (15~deb12u1)"}
!5 = !{!6, !6, i64 0}
!6 = !{!"long", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C/C++ TBAA"}
!9 = distinct !{!9, !10}
!10 = !{!"llvm.loop.unroll.disable"}
