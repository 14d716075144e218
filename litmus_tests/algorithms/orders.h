/* Shorthands of the programs in this folder. An order is a macro, so that a variant can weaken it (-DNAME=rlx). */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#define rlx memory_order_relaxed
#define acq memory_order_acquire
#define rel memory_order_release
#define acq_rel memory_order_acq_rel
#define sc memory_order_seq_cst
#define load(p, o) atomic_load_explicit(p, o)
#define store(p, v, o) atomic_store_explicit(p, v, o)
#define add(p, v, o) atomic_fetch_add_explicit(p, v, o)
#define swap(p, v, o) atomic_exchange_explicit(p, v, o)
#define cas(p, e, v, o, f) atomic_compare_exchange_strong_explicit(p, e, v, o, f)
#define fence(o) atomic_thread_fence(o)
typedef pthread_t thread;
#define start(t, f, a) pthread_create(&(t), 0, f, (void *)(long)(a))
#define wait_for(t) pthread_join(t, 0)
