// What an Any promises to threads: several may read one at once, and >>= and copying are reading.
#include <corbel/any.h>
#include <corbel/corba.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

using corbel::types::Kind;
using corbel::types::Member;

namespace {

// Two classes of one IDL type, as two libraries may have them: struct Point { long x; string name; };
struct Point {
  CORBA::Long x = 0;
  corbel::cpp::StringMember name;
};
struct Place : Point {};
const Member members[] = {{"x", &corbel::tc::_tc_long, 0, 0}, {"name", &corbel::tc::_tc_string, 0, 0}};
CORBA::TypeCode tc_point{Kind::Struct, "IDL:Point:1.0", "Point", nullptr, members, 2};

}  // namespace

namespace corbel::cdr {

void marshal(Encoder& out, const Point& p) {
  out.put(p.x);
  out.put_string(p.name);
}
bool unmarshal(Decoder& in, Point& p) { return in.get(p.x) && cpp::get_string(in, p.name); }

}  // namespace corbel::cdr

namespace {

constexpr int kThreads = 4;
constexpr int kRounds = 300;

// Runs `action` in several threads that begin together.
template <typename Action>
void together(Action action) {
  std::atomic<int> ready{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      ++ready;
      while (ready.load() < kThreads) std::this_thread::yield();
      action(i);
    });
  }
  for (std::thread& t : threads) t.join();
}

CORBA::Any point() {
  Point p;
  p.x = 7;
  p.name = "a name that is longer than what stands inside a member";
  CORBA::Any any;
  corbel::cpp::insert(any, tc_point, p);
  return any;
}

std::string sent(const CORBA::Any& any) {
  corbel::cdr::Encoder out;
  out.reset();
  corbel::cdr::marshal(out, any);
  return {out.data(), out.size()};
}

CORBA::Any received(const std::string& bytes) {
  corbel::cdr::Decoder in(bytes.data(), bytes.data(), bytes.data() + bytes.size(), false);
  CORBA::Any any;
  EXPECT_TRUE(corbel::cdr::unmarshal(in, any));
  return any;
}

// Types that no other thread has met before, each read, walked through and passed on by all at once.
TEST(AnyConcurrency, ThreadsMeetNewTypesTogether) {
  std::vector<std::string> messages;
  for (int i = 0; i < kRounds; ++i) {
    const std::string id = "IDL:New" + std::to_string(i) + ":1.0";
    const CORBA::TypeCode type{Kind::Struct, id.c_str(), "New", nullptr, members, 2};
    corbel::cdr::Encoder out;
    out.reset();
    corbel::types::marshal(out, type);
    out.put<CORBA::Long>(i);
    out.put_string("text");
    messages.emplace_back(out.data(), out.size());
  }
  together([&](int) {
    for (int i = 0; i < kRounds; ++i) {
      const std::string& message = messages[static_cast<std::size_t>(i)];
      const CORBA::Any any = received(message);
      EXPECT_EQ(sent(any), message);
      corbel::cdr::Encoder out;
      out.reset();
      out.put<CORBA::Octet>(0);
      corbel::cdr::marshal(out, any);
      EXPECT_FALSE(out.error());
    }
  });
}

TEST(AnyConcurrency, ReadersOfReceivedOctetsGetOneValue) {
  const std::string bytes = sent(point());
  for (int round = 0; round < kRounds; ++round) {
    const CORBA::Any any = received(bytes);
    const Point* seen[kThreads] = {};
    together([&](int i) { EXPECT_TRUE(corbel::cpp::extract(any, tc_point, seen[i])); });
    for (const Point* p : seen) {
      ASSERT_EQ(p, seen[0]);
      EXPECT_EQ(p->x, 7);
    }
  }
}

// Two classes of sequence<long>, whose elements may be lent as they were received.
TEST(AnyConcurrency, ReadersOfReceivedSequencesGetTheirClass) {
  class Others : public CORBA::LongSeq {
   public:
    using LongSeq::LongSeq;
  };
  static CORBA::TypeCode type{Kind::Sequence, "", "", &corbel::tc::_tc_long, nullptr, 0};
  CORBA::Long wire[] = {3, 7, 8, 9};
  for (int round = 0; round < kRounds; ++round) {
    corbel::cdr::Decoder in(reinterpret_cast<char*>(wire), reinterpret_cast<char*>(wire),
                            reinterpret_cast<char*>(wire + 4), false);
    CORBA::Any any;
    ASSERT_TRUE(any._corbel_unmarshal_value(in, type));
    const CORBA::Any& received = any;
    const auto ask = [&](const auto* value) {
      for (int again = 0; again < 2; ++again) {
        ASSERT_TRUE(corbel::cpp::extract(received, type, value));
        ASSERT_EQ(value->length(), 3u);
        EXPECT_EQ((*value)[2], 9);
      }
    };
    together([&](int i) {
      if (i % 2 == 0) ask(static_cast<const CORBA::LongSeq*>(nullptr));
      else ask(static_cast<const Others*>(nullptr));
    });
  }
}

TEST(AnyConcurrency, ReadersCopyAndPassOnWhileOthersMakeAnotherClassOfIt) {
  const std::string bytes = sent(point());
  for (int round = 0; round < kRounds; ++round) {
    const CORBA::Any any = point();
    together([&](int i) {
      if (i == 0) {
        const Place* place = nullptr;
        ASSERT_TRUE(corbel::cpp::extract(any, tc_point, place));
        EXPECT_EQ(place->x, 7);
      } else if (i == 1) {
        const CORBA::Any copy(any);
        EXPECT_EQ(sent(copy), bytes);
      } else if (i == 2) {
        EXPECT_EQ(sent(any), bytes);
      } else {
        const Point* p = nullptr;
        ASSERT_TRUE(corbel::cpp::extract(any, tc_point, p));
        EXPECT_EQ(p->x, 7);
      }
    });
  }
}

TEST(AnyConcurrency, CopiesShareOctetsThatTheLastOfThemFrees) {
  const std::string bytes = sent(point());
  for (int round = 0; round < kRounds; ++round) {
    std::vector<CORBA::Any> copies(kThreads, received(bytes));
    together([&](int i) {
      CORBA::Any mine(copies[static_cast<std::size_t>(i)]);
      copies[static_cast<std::size_t>(i)] = CORBA::Any();
      EXPECT_EQ(sent(mine), bytes);
      CORBA::TypeCode_var type = mine.type();
      mine = CORBA::Any();
      EXPECT_STREQ(type->name(), "Point");
    });
  }
}

TEST(AnyConcurrency, TypeCodesAreComparedAndTakenApartAtOnce) {
  for (int round = 0; round < kRounds; ++round) {
    const CORBA::Any any = received(sent(point()));
    CORBA::TypeCode_var type = any.type();
    together([&](int) {
      CORBA::TypeCode_var mine = any.type();
      EXPECT_TRUE(mine->equivalent(&tc_point));
      CORBA::TypeCode_var member = mine->member_type(1);
      mine = CORBA::TypeCode::_nil();
      EXPECT_EQ(member->kind(), CORBA::tk_string);
    });
  }
}

}  // namespace
