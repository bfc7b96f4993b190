// omnithread's names, as a program uses them.
#include <omnithread.h>

#include <gtest/gtest.h>

#include <atomic>
#include <string>

namespace {

void* doubled(void* number) { return new int(*static_cast<int*>(number) * 2); }

TEST(Omnithread, JoinedThreadGivesItsResultAndIsGone) {
  int number = 21;
  void* result = nullptr;
  omni_thread::create(doubled, &number)->join(&result);
  EXPECT_EQ(*static_cast<int*>(result), 42);
  delete static_cast<int*>(result);
}

TEST(Omnithread, ExitEndsAThreadAndGivesItsResult) {
  static int answer = 7;
  void* result = nullptr;
  omni_thread::create([](void*) -> void* { omni_thread::exit(&answer); })->join(&result);
  EXPECT_EQ(result, &answer);
}

TEST(Omnithread, DetachedThreadFreesItself) {
  static omni_semaphore gone(0);
  class Detached : public omni_thread {
   public:
    explicit Detached(std::string text) : omni_thread(new std::string(std::move(text))) { start(); }

   private:
    ~Detached() override { gone.post(); }
    void run(void* text) override { delete static_cast<std::string*>(text); }
  };
  new Detached("some text that is too long to stand in the string itself");
  gone.wait();
}

TEST(Omnithread, WrongUseIsRefused) {
  omni_semaphore go(0);
  auto* const thread = new omni_thread(
      [](void* s) -> void* {
        static_cast<omni_semaphore*>(s)->wait();
        return nullptr;
      },
      &go);
  EXPECT_EQ(thread->state(), omni_thread::STATE_NEW);
  EXPECT_THROW(thread->join(nullptr), omni_thread_invalid);
  EXPECT_THROW(thread->set_priority(omni_thread::PRIORITY_HIGH), omni_thread_invalid);
  thread->start();
  EXPECT_EQ(thread->state(), omni_thread::STATE_RUNNING);
  EXPECT_THROW(thread->start(), omni_thread_invalid);
  thread->set_priority(omni_thread::PRIORITY_HIGH);
  EXPECT_EQ(thread->priority(), omni_thread::PRIORITY_HIGH);
  go.post();
  thread->join(nullptr);
  EXPECT_THROW(omni_thread::self()->join(nullptr), omni_thread_invalid);
}

TEST(Omnithread, SelfIsTheThreadThatRuns) {
  EXPECT_EQ(omni_thread::self()->id(), 0);
  EXPECT_EQ(omni_thread::self(), omni_thread::self());
  void* inside = nullptr;
  auto* const thread = new omni_thread([](void*) -> void* { return omni_thread::self(); });
  EXPECT_GT(thread->id(), 0);
  thread->start();
  void* const outside = thread;
  thread->join(&inside);
  EXPECT_EQ(inside, outside);
}

TEST(Omnithread, ThreadsOfOthersGetADummy) {
  pthread_t other;
  pthread_create(
      &other, nullptr,
      [](void*) -> void* {
        omni_thread::ensure_self here;
        omni_thread* const self = omni_thread::self();
        const bool ok = self == omni_thread::create_dummy() && self->state() == omni_thread::STATE_RUNNING;
        omni_thread::release_dummy();
        return ok ? self : nullptr;
      },
      nullptr);
  void* ok = nullptr;
  pthread_join(other, &ok);
  EXPECT_NE(ok, nullptr);
}

TEST(Omnithread, ValuesBelongToAThreadAndDieWithIt) {
  static std::atomic<int> alive{0};
  struct Value : omni_thread::value_t {
    Value() { ++alive; }
    ~Value() override { --alive; }
  };
  static omni_thread::key_t key;
  key = omni_thread::allocate_key();
  const omni_thread::key_t unknown = key + 1000;
  omni_thread::create([](void*) -> void* {
    omni_thread* const self = omni_thread::self();
    EXPECT_EQ(self->get_value(key), nullptr);
    self->set_value(key, new Value);
    self->set_value(key, new Value);  // in place of the first
    EXPECT_EQ(alive, 1);
    omni_thread::value_t* const kept = self->remove_value(key);
    EXPECT_EQ(self->get_value(key), nullptr);
    self->set_value(key, kept);
    return nullptr;
  })->join(nullptr);
  EXPECT_EQ(alive, 0);
  EXPECT_EQ(omni_thread::self()->get_value(key), nullptr);
  EXPECT_EQ(omni_thread::self()->set_value(unknown, nullptr), nullptr);
}

TEST(Omnithread, MutexIsLockedOnce) {
  omni_mutex mutex;
  {
    omni_mutex_lock lock(mutex);
    omni_mutex_trylock second(mutex);
    EXPECT_FALSE(second.locked());
  }
  omni_mutex_trylock third(mutex);
  EXPECT_TRUE(third.locked());
  EXPECT_FALSE(mutex.trylock());
}

TEST(Omnithread, ConditionWakesAndTimesOut) {
  struct Shared {
    omni_mutex mutex;
    omni_condition condition{&mutex};
    bool ready = false;
  } shared;
  omni_mutex_lock lock(shared.mutex);
  omni_time_t soon;
  omni_thread::get_time(soon, omni_time_t(0, 20000000));
  EXPECT_EQ(shared.condition.timedwait(soon), 0);
  omni_time_t now;
  omni_thread::get_time(now);
  EXPECT_GE(now, soon);
  omni_thread::create(
      [](void* p) {
        Shared& s = *static_cast<Shared*>(p);
        omni_mutex_lock inner(s.mutex);
        s.ready = true;
        s.condition.broadcast();
      },
      &shared);
  omni_thread::get_time(soon, 20);
  while (!shared.ready) ASSERT_NE(shared.condition.timedwait(soon), 0);
}

TEST(Omnithread, SemaphoreCountsUpToItsMaximum) {
  omni_semaphore semaphore(1, 2);
  EXPECT_TRUE(semaphore.trywait());
  EXPECT_FALSE(semaphore.trywait());
  for (int i = 0; i < 3; ++i) semaphore.post();
  {
    omni_semaphore_lock lock(semaphore);
    EXPECT_TRUE(semaphore.trywait());
    EXPECT_FALSE(semaphore.trywait());
  }
  EXPECT_TRUE(semaphore.trywait());
}

TEST(Omnithread, TimesAreReckonedWith) {
  omni_time_t a(1, 600000000);
  const omni_time_t b(2, 700000000);
  EXPECT_EQ(a + b, omni_time_t(4, 300000000));
  EXPECT_EQ(b - a, omni_time_t(1, 100000000));
  EXPECT_EQ(omni_time_t(3, 100) - omni_time_t(1, 200), omni_time_t(1, 999999900));
  EXPECT_TRUE(a < b && a <= b && b > a && b >= a && a != b);
  EXPECT_FALSE(omni_time_t());
  unsigned long s1, n1, s2, n2;
  omni_thread::get_time(&s1, &n1);
  omni_thread::get_time(&s2, &n2, 5, 999999999);
  const omni_time_t between = omni_time_t(s2, n2) - omni_time_t(s1, n1);
  EXPECT_GE(between, omni_time_t(5, 999999999));
  EXPECT_LT(n2, 1000000000u);
}

TEST(Omnithread, CountsOfReferencesAndTracedMutexesAreThere) {
  omni_refcount count(1);
  EXPECT_EQ(count.inc(), 2);
  EXPECT_EQ(count.dec(), 1);
  EXPECT_EQ(count.value(), 1);
  omni_tracedmutex mutex("name");
  omni_tracedcondition condition(&mutex, "name");
  omni_tracedmutex_lock lock(mutex);
  omni_time_t until;
  omni_thread::get_time(until, omni_time_t(0, 1000000));
  EXPECT_EQ(condition.timedwait(until), 0);
  omni_thread::ensure_self self;
  EXPECT_EQ(self.self(), omni_thread::self());
}

TEST(Omnithread, StackSizeIsThatOfLaterThreads) {
  // More than the default: the C library hands out larger stacks of earlier threads.
  omni_thread::stacksize(32 << 20);
  EXPECT_EQ(omni_thread::stacksize(), 32u << 20);
  void* size = nullptr;
  omni_thread::create([](void*) -> void* {
    pthread_attr_t attributes;
    pthread_getattr_np(pthread_self(), &attributes);
    std::size_t bytes = 0;
    pthread_attr_getstacksize(&attributes, &bytes);
    pthread_attr_destroy(&attributes);
    return reinterpret_cast<void*>(bytes);
  })->join(&size);
  omni_thread::stacksize(0);
  EXPECT_GE(reinterpret_cast<std::size_t>(size), 32u << 20);
}

}  // namespace
