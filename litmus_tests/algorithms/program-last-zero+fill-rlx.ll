; A reader looks for the last empty place of an array: what fills it is relaxed
; REF: Abdulla, Aronis, Jonsson, Sagonas: Optimal Dynamic Partial Order Reduction, POPL 2014
; From last-zero.c: clang -O1 -S -emit-llvm -fno-discard-value-names -DFILL=rlx last-zero.c
; EXPECT: llvm=Never+ub-undef amdgpu=Never+ub-undef

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@count = dso_local local_unnamed_addr global [4 x i32] zeroinitializer, align 16
@payload = dso_local local_unnamed_addr global [4 x i32] zeroinitializer, align 16
@.str = private unnamed_addr constant [36 x i8] c"last == 2 || payload[last + 1] == 1\00", align 1
@.str.1 = private unnamed_addr constant [12 x i8] c"last-zero.c\00", align 1
@__PRETTY_FUNCTION__.main = private unnamed_addr constant [15 x i8] c"int main(void)\00", align 1

; Function Attrs: nounwind uwtable
define dso_local i32 @main() local_unnamed_addr #0 {
entry:
  %a = alloca i64, align 8
  %b = alloca i64, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %a) #5
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %b) #5
  %call = call i32 @pthread_create(ptr noundef nonnull %a, ptr noundef null, ptr noundef nonnull @fill, ptr noundef nonnull inttoptr (i64 1 to ptr)) #5
  %call1 = call i32 @pthread_create(ptr noundef nonnull %b, ptr noundef null, ptr noundef nonnull @fill, ptr noundef nonnull inttoptr (i64 2 to ptr)) #5
  br label %land.rhs

land.rhs:                                         ; preds = %entry, %while.body
  %last.011 = phi i32 [ 2, %entry ], [ %dec, %while.body ]
  %idxprom = zext i32 %last.011 to i64
  %arrayidx = getelementptr inbounds [4 x i32], ptr @count, i64 0, i64 %idxprom
  %0 = load atomic i32, ptr %arrayidx acquire, align 4
  %cmp2.not = icmp eq i32 %0, 0
  br i1 %cmp2.not, label %while.end, label %while.body

while.body:                                       ; preds = %land.rhs
  %dec = add nsw i32 %last.011, -1
  %cmp = icmp ugt i32 %last.011, 1
  br i1 %cmp, label %land.rhs, label %while.end, !llvm.loop !5

while.end:                                        ; preds = %while.body, %land.rhs
  %last.0.lcssa = phi i32 [ 0, %while.body ], [ %last.011, %land.rhs ]
  %cmp3 = icmp eq i32 %last.0.lcssa, 2
  br i1 %cmp3, label %if.end, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %while.end
  %add = add nsw i32 %last.0.lcssa, 1
  %idxprom4 = zext i32 %add to i64
  %arrayidx5 = getelementptr inbounds [4 x i32], ptr @payload, i64 0, i64 %idxprom4
  %1 = load i32, ptr %arrayidx5, align 4, !tbaa !8
  %cmp6 = icmp eq i32 %1, 1
  br i1 %cmp6, label %if.end, label %if.else

if.else:                                          ; preds = %lor.lhs.false
  call void @__assert_fail(ptr noundef nonnull @.str, ptr noundef nonnull @.str.1, i32 noundef 24, ptr noundef nonnull @__PRETTY_FUNCTION__.main) #6
  unreachable

if.end:                                           ; preds = %while.end, %lor.lhs.false
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %b) #5
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %a) #5
  ret i32 0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: nounwind
declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

; Function Attrs: mustprogress nofree norecurse nounwind willreturn memory(readwrite, argmem: none, inaccessiblemem: none) uwtable
define internal noalias ptr @fill(ptr noundef %place) #3 {
entry:
  %0 = ptrtoint ptr %place to i64
  %arrayidx = getelementptr inbounds [4 x i32], ptr @payload, i64 0, i64 %0
  store i32 1, ptr %arrayidx, align 4, !tbaa !8
  %arrayidx1 = getelementptr inbounds [4 x i32], ptr @count, i64 0, i64 %0
  %sub = add nsw i64 %0, -1
  %arrayidx2 = getelementptr inbounds [4 x i32], ptr @count, i64 0, i64 %sub
  %1 = load atomic i32, ptr %arrayidx2 monotonic, align 4
  %add = add nsw i32 %1, 1
  store atomic i32 %add, ptr %arrayidx1 monotonic, align 4
  ret ptr null
}

; Function Attrs: noreturn nounwind
declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef) local_unnamed_addr #4

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { mustprogress nofree norecurse nounwind willreturn memory(readwrite, argmem: none, inaccessiblemem: none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
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
!5 = distinct !{!5, !6, !7}
!6 = !{!"llvm.loop.mustprogress"}
!7 = !{!"llvm.loop.unroll.disable"}
!8 = !{!9, !9, i64 0}
!9 = !{!"int", !10, i64 0}
!10 = !{!"omnipotent char", !11, i64 0}
!11 = !{!"Simple C/C++ TBAA"}
