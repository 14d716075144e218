; A lock of many readers or one writer, in one word: its readers, or -1: the reader enters relaxed
; From rw-lock.c: clang -O1 -S -emit-llvm -fno-discard-value-names -DREAD=rlx rw-lock.c
; EXPECT: llvm=Never+ub+ub-undef amdgpu=Never+ub+ub-undef

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@found = dso_local local_unnamed_addr global i32 0, align 4
@.str = private unnamed_addr constant [11 x i8] c"found <= 1\00", align 1
@.str.1 = private unnamed_addr constant [10 x i8] c"rw-lock.c\00", align 1
@__PRETTY_FUNCTION__.main = private unnamed_addr constant [15 x i8] c"int main(void)\00", align 1
@state = dso_local global i32 0, align 4
@value = dso_local local_unnamed_addr global i32 0, align 4

define dso_local i32 @main() local_unnamed_addr #0 {
entry:
  %a = alloca i64, align 8
  %b = alloca i64, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %a) #7
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %b) #7
  %call = call i32 @pthread_create(ptr noundef nonnull %a, ptr noundef null, ptr noundef nonnull @write, ptr noundef null) #7
  %call1 = call i32 @pthread_create(ptr noundef nonnull %b, ptr noundef null, ptr noundef nonnull @read, ptr noundef null) #7
  %0 = load i64, ptr %a, align 8, !tbaa !5
  %call2 = call i32 @pthread_join(i64 noundef %0, ptr noundef null) #7
  %1 = load i64, ptr %b, align 8, !tbaa !5
  %call3 = call i32 @pthread_join(i64 noundef %1, ptr noundef null) #7
  %2 = load i32, ptr @found, align 4, !tbaa !9
  %cmp = icmp slt i32 %2, 2
  br i1 %cmp, label %if.end, label %if.else

if.else:                                          ; preds = %entry
  call void @__assert_fail(ptr noundef nonnull @.str, ptr noundef nonnull @.str.1, i32 noundef 32, ptr noundef nonnull @__PRETTY_FUNCTION__.main) #8
  unreachable

if.end:                                           ; preds = %entry
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %b) #7
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %a) #7
  ret i32 0
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

define internal noalias ptr @write(ptr nocapture readnone %unused) #3 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.cond, %entry
  %0 = cmpxchg ptr @state, i32 0, i32 -1 acquire monotonic, align 4
  %1 = extractvalue { i32, i1 } %0, 1
  br i1 %1, label %for.cond.cleanup, label %for.cond, !llvm.loop !11

for.cond.cleanup:                                 ; preds = %for.cond
  store i32 1, ptr @value, align 4, !tbaa !9
  store atomic i32 0, ptr @state release, align 4
  ret ptr null
}

define internal noalias ptr @read(ptr nocapture readnone %unused) #4 {
entry:
  %0 = load atomic i32, ptr @state monotonic, align 4
  %cmp = icmp sgt i32 %0, -1
  br i1 %cmp, label %land.lhs.true, label %if.end

land.lhs.true:                                    ; preds = %entry
  %add = add nsw i32 %0, 1
  %1 = cmpxchg ptr @state, i32 %0, i32 %add monotonic monotonic, align 4
  %2 = extractvalue { i32, i1 } %1, 1
  br i1 %2, label %if.then, label %if.end

if.then:                                          ; preds = %land.lhs.true
  %3 = load i32, ptr @value, align 4, !tbaa !9
  store i32 %3, ptr @found, align 4, !tbaa !9
  %4 = atomicrmw add ptr @state, i32 -1 release, align 4
  br label %if.end

if.end:                                           ; preds = %if.then, %land.lhs.true, %entry
  ret ptr null
}

declare i32 @pthread_join(i64 noundef, ptr noundef) local_unnamed_addr #5

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef) local_unnamed_addr #6

declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nofree norecurse nounwind memory(readwrite, argmem: none, inaccessiblemem: none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { mustprogress nofree norecurse nounwind willreturn memory(readwrite, argmem: none, inaccessiblemem: none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
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
