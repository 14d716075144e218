/* A stack whose top is a node and a count of changes in one word: a node that came back is told from one that stayed. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef STEP
#define STEP 1
#endif

struct node { _Atomic(struct node *) next; int taken; };
struct node first, second;
_Atomic uint64_t top;

static struct node *node_of(uint64_t word) { return (struct node *)(word & 0xFFFFFFFFFFFF); }
static uint64_t after(uint64_t word, struct node *node) { return ((word >> 48) + STEP) << 48 | (uint64_t)node; }

static struct node *pop(void) {
    uint64_t word = atomic_load_explicit(&top, memory_order_acquire);
    for (int tries = 0; tries < 2 && node_of(word); tries++) {
        struct node *next = atomic_load_explicit(&node_of(word)->next, memory_order_relaxed);
        if (atomic_compare_exchange_strong_explicit(&top, &word, after(word, next), memory_order_acq_rel,
                                                    memory_order_acquire))
            return node_of(word);
    }
    return 0;
}

static void push(struct node *node) {
    uint64_t word = atomic_load_explicit(&top, memory_order_relaxed);
    do
        atomic_store_explicit(&node->next, node_of(word), memory_order_relaxed);
    while (!atomic_compare_exchange_strong_explicit(&top, &word, after(word, node), memory_order_release,
                                                    memory_order_relaxed));
}

static void take(struct node *node) {
    if (node) {
        assert(!node->taken);
        node->taken = 1;
    }
}

void *keeps(void *unused) {
    take(pop());
    return 0;
}

void *gives_back(void *unused) {
    struct node *one = pop(), *other = pop();
    take(other);
    if (one)
        push(one);
    return 0;
}

int main(void) {
    first.next = &second;
    top = (uint64_t)&first;
    pthread_t a, b;
    pthread_create(&a, 0, keeps, 0);
    pthread_create(&b, 0, gives_back, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    take(pop());
    return 0;
}
