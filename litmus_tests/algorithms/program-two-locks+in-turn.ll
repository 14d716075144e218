; Money goes from one account to another one, and back: each thread waits for its second lock while it holds the first one
; From two-locks.c: clang -O1 -S -emit-llvm -fno-discard-value-names -DIN_TURN two-locks.c
; EXPECT: llvm=Never+stuck amdgpu=Never+stuck rc11=Never+stuck

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.account = type { %union.pthread_mutex_t, i32 }
%union.pthread_mutex_t = type { %struct.__pthread_mutex_s }
%struct.__pthread_mutex_s = type { i32, i32, i32, i32, i32, i16, i16, %struct.__pthread_internal_list }
%struct.__pthread_internal_list = type { ptr, ptr }

@one = dso_local global %struct.account { %union.pthread_mutex_t zeroinitializer, i32 2 }, align 8
@other = dso_local global %struct.account { %union.pthread_mutex_t zeroinitializer, i32 2 }, align 8
@.str = private unnamed_addr constant [35 x i8] c"one.money == 2 && other.money == 2\00", align 1
@.str.1 = private unnamed_addr constant [12 x i8] c"two-locks.c\00", align 1
@__PRETTY_FUNCTION__.main = private unnamed_addr constant [15 x i8] c"int main(void)\00", align 1

; Function Attrs: nounwind uwtable
define dso_local i32 @main() local_unnamed_addr #0 {
entry:
  %a = alloca i64, align 8
  %b = alloca i64, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %a) #5
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %b) #5
  %call = call i32 @pthread_create(ptr noundef nonnull %a, ptr noundef null, ptr noundef nonnull @pays, ptr noundef null) #5
  %call1 = call i32 @pthread_create(ptr noundef nonnull %b, ptr noundef null, ptr noundef nonnull @pays_back, ptr noundef null) #5
  %0 = load i64, ptr %a, align 8, !tbaa !5
  %call2 = call i32 @pthread_join(i64 noundef %0, ptr noundef null) #5
  %1 = load i64, ptr %b, align 8, !tbaa !5
  %call3 = call i32 @pthread_join(i64 noundef %1, ptr noundef null) #5
  %2 = load i32, ptr getelementptr inbounds (%struct.account, ptr @one, i64 0, i32 1), align 8, !tbaa !9
  %cmp = icmp eq i32 %2, 2
  %3 = load i32, ptr getelementptr inbounds (%struct.account, ptr @other, i64 0, i32 1), align 8
  %cmp4 = icmp eq i32 %3, 2
  %or.cond = select i1 %cmp, i1 %cmp4, i1 false
  br i1 %or.cond, label %if.end, label %if.else

if.else:                                          ; preds = %entry
  call void @__assert_fail(ptr noundef nonnull @.str, ptr noundef nonnull @.str.1, i32 noundef 45, ptr noundef nonnull @__PRETTY_FUNCTION__.main) #6
  unreachable

if.end:                                           ; preds = %entry
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %b) #5
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %a) #5
  ret i32 0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: nounwind
declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

; Function Attrs: nounwind uwtable
define internal noalias ptr @pays(ptr nocapture readnone %unused) #0 {
entry:
  %call.i.i = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @one) #5
  %call2.i.i = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @other) #5
  %0 = load i32, ptr getelementptr inbounds (%struct.account, ptr @one, i64 0, i32 1), align 8, !tbaa !9
  %dec.i = add nsw i32 %0, -1
  store i32 %dec.i, ptr getelementptr inbounds (%struct.account, ptr @one, i64 0, i32 1), align 8, !tbaa !9
  %1 = load i32, ptr getelementptr inbounds (%struct.account, ptr @other, i64 0, i32 1), align 8, !tbaa !9
  %inc.i = add nsw i32 %1, 1
  store i32 %inc.i, ptr getelementptr inbounds (%struct.account, ptr @other, i64 0, i32 1), align 8, !tbaa !9
  %call.i = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @other) #5
  %call3.i = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @one) #5
  ret ptr null
}

; Function Attrs: nounwind uwtable
define internal noalias ptr @pays_back(ptr nocapture readnone %unused) #0 {
entry:
  %call.i.i = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @other) #5
  %call2.i.i = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @one) #5
  %0 = load i32, ptr getelementptr inbounds (%struct.account, ptr @other, i64 0, i32 1), align 8, !tbaa !9
  %dec.i = add nsw i32 %0, -1
  store i32 %dec.i, ptr getelementptr inbounds (%struct.account, ptr @other, i64 0, i32 1), align 8, !tbaa !9
  %1 = load i32, ptr getelementptr inbounds (%struct.account, ptr @one, i64 0, i32 1), align 8, !tbaa !9
  %inc.i = add nsw i32 %1, 1
  store i32 %inc.i, ptr getelementptr inbounds (%struct.account, ptr @one, i64 0, i32 1), align 8, !tbaa !9
  %call.i = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @one) #5
  %call3.i = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @other) #5
  ret ptr null
}

declare i32 @pthread_join(i64 noundef, ptr noundef) local_unnamed_addr #3

; Function Attrs: noreturn nounwind
declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef) local_unnamed_addr #4

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: nounwind
declare i32 @pthread_mutex_unlock(ptr noundef) local_unnamed_addr #2

; Function Attrs: nounwind
declare i32 @pthread_mutex_lock(ptr noundef) local_unnamed_addr #2

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
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
!5 = !{!6, !6, i64 0}
!6 = !{!"long", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C/C++ TBAA"}
!9 = !{!10, !11, i64 40}
!10 = !{!"", !7, i64 0, !11, i64 40}
!11 = !{!"int", !7, i64 0}
