// Exceptions, Anys and calls between two shared libraries that know nothing of each other's stubs.
#include <gtest/gtest.h>

#include <corbel/cpp/any.h>

#include "library.h"

// That the ORB is here more than once is what this is about: to AddressSanitizer it is an error otherwise.
extern "C" [[gnu::visibility("default")]] const char* __asan_default_options();
const char* __asan_default_options() { return "detect_odr_violation=0"; }

namespace {

class BetweenLibraries : public testing::TestWithParam<bool> {
 protected:
  const Library& one_ = *(GetParam() ? left_library() : right_library());
  const Library& other_ = *(GetParam() ? right_library() : left_library());
};
INSTANTIATE_TEST_SUITE_P(Ways, BetweenLibraries, testing::Bool());

TEST_P(BetweenLibraries, ExceptionsAreCaughtByTheirClass) {
  for (const int what : {1, 2, 3}) EXPECT_EQ(one_.catch_by_class(other_.raise, what), what);
}

TEST_P(BetweenLibraries, ExceptionsAreToldByTheirRepositoryId) {
  for (const int what : {1, 2, 3}) {
    try {
      one_.raise(what);
      FAIL();
    } catch (const CORBA::Exception& e) {
      EXPECT_EQ(other_.tell(e), what);
      EXPECT_EQ(one_.tell(e), what);
    }
  }
}

TEST_P(BetweenLibraries, AnysAreUnderstood) {
  CORBA::Any any;
  one_.insert(any);
  const CORBA::Any copy = any;
  EXPECT_TRUE(other_.extract(any));
  EXPECT_TRUE(one_.extract(any));
  EXPECT_TRUE(other_.extract(copy));
  CORBA::Any mine, its;
  one_.insert(mine);
  other_.insert(its);
  CORBA::TypeCode_var a = mine.type(), b = its.type();
  EXPECT_TRUE(a->equal(b));
}

TEST_P(BetweenLibraries, OneServesTheOther) {
  CORBA::String_var reference = one_.serve();
  EXPECT_TRUE(other_.call(reference));
  EXPECT_TRUE(one_.call(reference));
  one_.stop();
}

}  // namespace
