/* Threads of C++: one hands its result over by a flag; a condition variable wakes the other one. */
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
#ifndef HAND
#define HAND std::memory_order_release
#endif
static std::mutex mutex;
static std::condition_variable changed;
static bool awake;
int data;
std::atomic<int> flag;
int main() {
  std::thread other([] {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [] { return awake; });
    data = 1;
    flag.store(1, HAND);
  });
  {
    std::lock_guard<std::mutex> lock(mutex);
    awake = true;
  }
  changed.notify_one();
  while (flag.load(std::memory_order_acquire) == 0) {
  }
  assert(data == 1);
  other.join();
}
