; Double-checked initialization: a flag outside of the lock, and again inside: the first check is relaxed
; From double-checked.c: clang -O1 -S -emit-llvm -fno-discard-value-names -DCHECK=rlx double-checked.c
; EXPECT: llvm=Never+ub+ub-undef amdgpu=Never+ub+ub-undef

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%union.pthread_mutex_t = type { %struct.__pthread_mutex_s }
%struct.__pthread_mutex_s = type { i32, i32, i32, i32, i32, i16, i16, %struct.__pthread_internal_list }
%struct.__pthread_internal_list = type { ptr, ptr }

@mutex = dso_local global %union.pthread_mutex_t zeroinitializer, align 8
@ready = dso_local local_unnamed_addr global i32 0, align 4
@value = dso_local local_unnamed_addr global i32 0, align 4
@.str = private unnamed_addr constant [11 x i8] c"value == 7\00", align 1
@.str.1 = private unnamed_addr constant [17 x i8] c"double-checked.c\00", align 1
@__PRETTY_FUNCTION__.use = private unnamed_addr constant [18 x i8] c"void *use(void *)\00", align 1

define dso_local i32 @main() local_unnamed_addr #0 {
entry:
  %a = alloca i64, align 8
  %b = alloca i64, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %a) #4
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %b) #4
  %call = call i32 @pthread_create(ptr noundef nonnull %a, ptr noundef null, ptr noundef nonnull @use, ptr noundef null) #4
  %call1 = call i32 @pthread_create(ptr noundef nonnull %b, ptr noundef null, ptr noundef nonnull @use, ptr noundef null) #4
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %b) #4
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %a) #4
  ret i32 0
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

define internal noalias ptr @use(ptr nocapture readnone %unused) #0 {
entry:
  %0 = load atomic i32, ptr @ready monotonic, align 4
  %tobool.not = icmp eq i32 %0, 0
  br i1 %tobool.not, label %if.then, label %if.end5

if.then:                                          ; preds = %entry
  %call = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @mutex) #4
  %1 = load atomic i32, ptr @ready monotonic, align 4
  %tobool2.not = icmp eq i32 %1, 0
  br i1 %tobool2.not, label %if.then3, label %if.end

if.then3:                                         ; preds = %if.then
  store i32 7, ptr @value, align 4, !tbaa !5
  store atomic i32 1, ptr @ready release, align 4
  br label %if.end

if.end:                                           ; preds = %if.then3, %if.then
  %call4 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @mutex) #4
  br label %if.end5

if.end5:                                          ; preds = %if.end, %entry
  %2 = load i32, ptr @value, align 4, !tbaa !5
  %cmp = icmp eq i32 %2, 7
  br i1 %cmp, label %if.end7, label %if.else

if.else:                                          ; preds = %if.end5
  tail call void @__assert_fail(ptr noundef nonnull @.str, ptr noundef nonnull @.str.1, i32 noundef 18, ptr noundef nonnull @__PRETTY_FUNCTION__.use) #5
  unreachable

if.end7:                                          ; preds = %if.end5
  ret ptr null
}

declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

declare i32 @pthread_mutex_lock(ptr noundef) local_unnamed_addr #2

declare i32 @pthread_mutex_unlock(ptr noundef) local_unnamed_addr #2

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
