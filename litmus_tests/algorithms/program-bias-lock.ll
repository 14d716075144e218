; A lock of many readers or one writer as Linux had it
; From bias-lock.c: clang -O1 -S -emit-llvm -fno-discard-value-names bias-lock.c
; EXPECT: llvm=Never amdgpu=Never

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@left = dso_local global i32 256, align 4
@value = dso_local local_unnamed_addr global i32 0, align 4
@found = dso_local local_unnamed_addr global i32 0, align 4
@.str = private unnamed_addr constant [25 x i8] c"value == 2 && found <= 2\00", align 1
@.str.1 = private unnamed_addr constant [12 x i8] c"bias-lock.c\00", align 1
@__PRETTY_FUNCTION__.main = private unnamed_addr constant [15 x i8] c"int main(void)\00", align 1

; Function Attrs: nounwind uwtable
define dso_local i32 @main() local_unnamed_addr #0 {
entry:
  %a = alloca i64, align 8
  %b = alloca i64, align 8
  %c = alloca i64, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %a) #6
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %b) #6
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %c) #6
  %call = call i32 @pthread_create(ptr noundef nonnull %a, ptr noundef null, ptr noundef nonnull @write, ptr noundef null) #6
  %call1 = call i32 @pthread_create(ptr noundef nonnull %b, ptr noundef null, ptr noundef nonnull @read, ptr noundef null) #6
  %call2 = call i32 @pthread_create(ptr noundef nonnull %c, ptr noundef null, ptr noundef nonnull @write, ptr noundef null) #6
  %0 = load i64, ptr %a, align 8, !tbaa !5
  %call3 = call i32 @pthread_join(i64 noundef %0, ptr noundef null) #6
  %1 = load i64, ptr %b, align 8, !tbaa !5
  %call4 = call i32 @pthread_join(i64 noundef %1, ptr noundef null) #6
  %2 = load i64, ptr %c, align 8, !tbaa !5
  %call5 = call i32 @pthread_join(i64 noundef %2, ptr noundef null) #6
  %3 = load i32, ptr @value, align 4, !tbaa !9
  %cmp = icmp eq i32 %3, 2
  %4 = load i32, ptr @found, align 4
  %cmp6 = icmp slt i32 %4, 3
  %or.cond = select i1 %cmp, i1 %cmp6, i1 false
  br i1 %or.cond, label %if.end, label %if.else

if.else:                                          ; preds = %entry
  call void @__assert_fail(ptr noundef nonnull @.str, ptr noundef nonnull @.str.1, i32 noundef 38, ptr noundef nonnull @__PRETTY_FUNCTION__.main) #7
  unreachable

if.end:                                           ; preds = %entry
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %c) #6
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %b) #6
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %a) #6
  ret i32 0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: nounwind
declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

; Function Attrs: nofree norecurse nounwind memory(readwrite, argmem: none, inaccessiblemem: none) uwtable
define internal noalias ptr @write(ptr nocapture readnone %unused) #3 {
entry:
  %0 = atomicrmw add ptr @left, i32 -256 acquire, align 4
  %cmp.not5 = icmp eq i32 %0, 256
  br i1 %cmp.not5, label %while.end, label %while.body

while.body:                                       ; preds = %entry, %while.body
  %1 = atomicrmw add ptr @left, i32 256 monotonic, align 4
  %2 = atomicrmw add ptr @left, i32 -256 acquire, align 4
  %cmp.not = icmp eq i32 %2, 256
  br i1 %cmp.not, label %while.end, label %while.body, !llvm.loop !11

while.end:                                        ; preds = %while.body, %entry
  %3 = load i32, ptr @value, align 4, !tbaa !9
  %inc = add nsw i32 %3, 1
  store i32 %inc, ptr @value, align 4, !tbaa !9
  %4 = atomicrmw add ptr @left, i32 256 release, align 4
  ret ptr null
}

; Function Attrs: nofree norecurse nounwind memory(readwrite, argmem: none, inaccessiblemem: none) uwtable
define internal noalias ptr @read(ptr nocapture readnone %unused) #3 {
entry:
  %0 = atomicrmw add ptr @left, i32 -1 acquire, align 4
  %cmp10 = icmp slt i32 %0, 1
  br i1 %cmp10, label %while.body, label %while.end7

while.body:                                       ; preds = %entry, %while.end
  %1 = atomicrmw add ptr @left, i32 1 monotonic, align 4
  br label %while.cond3

while.cond3:                                      ; preds = %while.cond3, %while.body
  %2 = load atomic i32, ptr @left monotonic, align 4
  %cmp5 = icmp slt i32 %2, 1
  br i1 %cmp5, label %while.cond3, label %while.end, !llvm.loop !14

while.end:                                        ; preds = %while.cond3
  %3 = atomicrmw add ptr @left, i32 -1 acquire, align 4
  %cmp = icmp slt i32 %3, 1
  br i1 %cmp, label %while.body, label %while.end7, !llvm.loop !15

while.end7:                                       ; preds = %while.end, %entry
  %4 = load i32, ptr @value, align 4, !tbaa !9
  store i32 %4, ptr @found, align 4, !tbaa !9
  %5 = atomicrmw add ptr @left, i32 1 release, align 4
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
!9 = !{!10, !10, i64 0}
!10 = !{!"int", !7, i64 0}
!11 = distinct !{!11, !12, !13}
!12 = !{!"llvm.loop.mustprogress"}
!13 = !{!"llvm.loop.unroll.disable"}
!14 = distinct !{!14, !12, !13}
!15 = distinct !{!15, !12, !13}
