// Every kind of type in every passing mode, with holders and without, between two ORBs and within one. What
// leaks, is freed twice or used afterwards shows in the sanitizers' build.
#include "tests/passing/passing.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/mapping/pair.h"

const char* data_file() { return CORBEL_TEST_DATA; }

namespace {

class PassingModes : public testing::TestWithParam<Place> {
 protected:
  PassingModes() {
    add_factories(pair.server);
    if (GetParam() == Place::Remote) add_factories(pair.client);
    PortableServer::ServantBase_var servant = make_servant();
    it = pair.activate<Matrix::Server>(servant.in());
  }
  // With each value and the one after it.
  template <typename Check>
  void each(const Check& check) {
    const auto values = read_values(data_file());
    ASSERT_EQ(values.size(), cells().size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      ASSERT_GT(values[i].size(), 1u) << cells()[i].name;
      for (std::size_t k = 0; k < values[i].size(); ++k) {
        SCOPED_TRACE(testing::Message() << cells()[i].name << ": " << values[i][k].substr(0, 200));
        check(cells()[i], values[i][k], values[i][(k + 1) % values[i].size()]);
      }
    }
  }
  static void expect(const Results& results, const std::string& first, const std::string& second) {
    EXPECT_EQ(results.result, first);
    EXPECT_EQ(results.b, first);
    EXPECT_EQ(results.c, second);
  }
  template <typename Call>
  static const char* raised(const Call& call) {
    try {
      call();
      return "nothing";
    } catch (const CORBA::SystemException& e) {
      return e._name();
    }
  }
  Pair pair{GetParam()};
  Matrix::Server_var it;
};
INSTANTIATE_TEST_SUITE_P(, PassingModes, testing::Values(Place::Remote, Place::Collocated), place_name);

TEST_P(PassingModes, WithMemoryOfTheCaller) {
  each([&](const Cell& cell, const std::string& a, const std::string& b) {
    expect(cell.raw(it, a, b), a, b);
  });
}

TEST_P(PassingModes, WithHolders) {
  int held = 0;
  each([&](const Cell& cell, const std::string& a, const std::string& b) {
    if (!cell.held) return;
    ++held;
    for (const Pass pass : {cell.held, cell.by_names}) {
      const Results results = pass(it, a, b);
      expect(results, a, b);
      EXPECT_EQ(results.again, a);
    }
  });
  EXPECT_GT(held, 100);
}

TEST_P(PassingModes, OfAttributes) {
  each([&](const Cell& cell, const std::string& a, const std::string&) { EXPECT_EQ(cell.keep(it, a), a); });
}

TEST_P(PassingModes, OfMembersOfExceptions) {
  each([&](const Cell& cell, const std::string& a, const std::string&) { EXPECT_EQ(cell.raise(it, a), a); });
}

TEST_P(PassingModes, NullIsNoValueWhereTheMappingHasNone) {
  int refused = 0;
  each([&](const Cell& cell, const std::string& a, const std::string& b) {
    if (!cell.null) return;
    cell.keep(it, a);
    for (const bool result : {true, false}) {
      if (!result && !cell.null_out) continue;
      const bool type_code = std::strcmp(cell.name, "TypeCode") == 0;
      EXPECT_STREQ(raised([&] { cell.null(it, result); }), type_code ? "BAD_TYPECODE" : "BAD_PARAM")
          << (result ? "result" : "out");
      ++refused;
    }
    expect(cell.raw(it, a, b), a, b);  // the server serves on
  });
  EXPECT_GT(refused, 100);
}

}  // namespace
