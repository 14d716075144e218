; Szymanski's lock, a round of two threads that give up where they would wait: the fences are acq_rel only
; REF: Szymanski: A simple solution to Lamport's concurrent programming problem with linear wait, 1988
; From szymanski.c: clang -O1 -S -emit-llvm -fno-discard-value-names -DFENCE=acq_rel szymanski.c
; EXPECT: llvm=Never+ub+ub-undef amdgpu=Never+ub+ub-undef

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@inside = dso_local local_unnamed_addr global i32 0, align 4
@.str = private unnamed_addr constant [12 x i8] c"inside <= 2\00", align 1
@.str.1 = private unnamed_addr constant [12 x i8] c"szymanski.c\00", align 1
@__PRETTY_FUNCTION__.main = private unnamed_addr constant [15 x i8] c"int main(void)\00", align 1
@flag = dso_local local_unnamed_addr global [2 x i32] zeroinitializer, align 4

; Function Attrs: nounwind uwtable
define dso_local i32 @main() local_unnamed_addr #0 {
entry:
  %a = alloca i64, align 8
  %b = alloca i64, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %a) #6
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %b) #6
  %call = call i32 @pthread_create(ptr noundef nonnull %a, ptr noundef null, ptr noundef nonnull @work, ptr noundef null) #6
  %call1 = call i32 @pthread_create(ptr noundef nonnull %b, ptr noundef null, ptr noundef nonnull @work, ptr noundef nonnull inttoptr (i64 1 to ptr)) #6
  %0 = load i64, ptr %a, align 8, !tbaa !5
  %call2 = call i32 @pthread_join(i64 noundef %0, ptr noundef null) #6
  %1 = load i64, ptr %b, align 8, !tbaa !5
  %call3 = call i32 @pthread_join(i64 noundef %1, ptr noundef null) #6
  %2 = load i32, ptr @inside, align 4, !tbaa !9
  %cmp = icmp slt i32 %2, 3
  br i1 %cmp, label %if.end, label %if.else

if.else:                                          ; preds = %entry
  call void @__assert_fail(ptr noundef nonnull @.str, ptr noundef nonnull @.str.1, i32 noundef 40, ptr noundef nonnull @__PRETTY_FUNCTION__.main) #7
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

; Function Attrs: mustprogress nofree norecurse nounwind willreturn uwtable
define internal noalias ptr @work(ptr noundef %number) #3 {
entry:
  %0 = ptrtoint ptr %number to i64
  %sext = shl i64 %0, 32
  %idxprom = ashr exact i64 %sext, 32
  %arrayidx = getelementptr inbounds [2 x i32], ptr @flag, i64 0, i64 %idxprom
  store atomic i32 1, ptr %arrayidx monotonic, align 4
  fence acq_rel
  %sext61 = sub i64 4294967296, %sext
  %idxprom1 = ashr exact i64 %sext61, 32
  %arrayidx2 = getelementptr inbounds [2 x i32], ptr @flag, i64 0, i64 %idxprom1
  %1 = load atomic i32, ptr %arrayidx2 monotonic, align 4
  %cmp = icmp sgt i32 %1, 2
  br i1 %cmp, label %cleanup, label %if.end

if.end:                                           ; preds = %entry
  store atomic i32 3, ptr %arrayidx monotonic, align 4
  fence acq_rel
  %2 = load atomic i32, ptr %arrayidx2 monotonic, align 4
  %cmp11 = icmp eq i32 %2, 1
  br i1 %cmp11, label %if.then13, label %if.end25

if.then13:                                        ; preds = %if.end
  store atomic i32 2, ptr %arrayidx monotonic, align 4
  fence acq_rel
  %3 = load atomic i32, ptr %arrayidx2 monotonic, align 4
  %cmp21.not = icmp eq i32 %3, 4
  br i1 %cmp21.not, label %if.end25, label %cleanup

if.end25:                                         ; preds = %if.then13, %if.end
  store atomic i32 4, ptr %arrayidx monotonic, align 4
  fence acq_rel
  %4 = load atomic i32, ptr %arrayidx2 acquire, align 4
  %cmp33 = icmp sgt i32 %4, 1
  br i1 %cmp33, label %cleanup, label %if.end36

if.end36:                                         ; preds = %if.end25
  %5 = load i32, ptr @inside, align 4, !tbaa !9
  %inc = add nsw i32 %5, 1
  store i32 %inc, ptr @inside, align 4, !tbaa !9
  fence acq_rel
  %6 = load atomic i32, ptr %arrayidx2 monotonic, align 4
  %7 = and i32 %6, -2
  %or.cond = icmp eq i32 %7, 2
  br i1 %or.cond, label %cleanup, label %if.end46

if.end46:                                         ; preds = %if.end36
  store atomic i32 0, ptr %arrayidx release, align 4
  br label %cleanup

cleanup:                                          ; preds = %if.end36, %if.end25, %if.then13, %entry, %if.end46
  ret ptr null
}

declare i32 @pthread_join(i64 noundef, ptr noundef) local_unnamed_addr #4

; Function Attrs: noreturn nounwind
declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef) local_unnamed_addr #5

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { mustprogress nofree norecurse nounwind willreturn uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
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
!9 = !{!10, !10, i64 0}
!10 = !{!"int", !7, i64 0}
