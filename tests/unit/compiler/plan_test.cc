// The wire plan: what chunks promise agrees with the sizes that CDR gives, wherever a struct starts.
#include <gtest/gtest.h>

#include <random>

#include "compiler/encodings/cdr/cdr.h"
#include "compiler/mint/mint.h"
#include "tests/unit/compiler/compile_text.h"

namespace corbel::idl::test {
namespace {

struct Planned {
  std::unique_ptr<Compilation> compilation;
  mint::Graph graph;
  plan::Plan plan;
};

Planned planned(const std::string& text, const plan::Options& options = {}) {
  Planned p{compile_text(text), {}, {}};
  EXPECT_TRUE(p.compilation->ok()) << p.compilation->messages();
  p.graph = mint::build(p.compilation->contract);
  p.plan = cdr::make_plan(p.graph, options);
  return p;
}

mint::Id id_of(const Planned& p, const std::string& name) {
  for (mint::Id id = 0; id < p.graph.nodes.size(); ++id)
    if (p.graph[id].name == name) return id;
  ADD_FAILURE() << "no node of " << name;
  return 0;
}

std::size_t aligned(std::size_t offset, std::size_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

// Walks the value as the rules of CDR say: the offset behind it, and the offset of each primitive in turn.
std::size_t walk(const mint::Graph& graph, mint::Id id, std::size_t offset,
                 std::vector<std::size_t>& places) {
  const mint::Node& n = graph[id];
  switch (n.kind) {
    case mint::Kind::Struct:
      for (const mint::Id m : n.members) offset = walk(graph, m, offset, places);
      return offset;
    case mint::Kind::Array:
      for (std::uint32_t i = 0; i < n.bound; ++i) offset = walk(graph, n.element, offset, places);
      return offset;
    default: {
      const std::size_t size = n.kind == mint::Kind::Enum                                     ? 4
                               : n.kind == mint::Kind::Integer || n.kind == mint::Kind::Float ? n.bits / 8
                                                                                              : 1;
      places.push_back(aligned(offset, size));
      return places.back() + size;
    }
  }
}

// The same as the steps of the plan say. Members that stand alone are walked.
std::size_t follow(const Planned& p, mint::Id id, std::size_t offset, std::vector<std::size_t>& places) {
  for (const plan::Step& s : p.plan[id].steps) {
    if (s.leaves.empty()) {
      offset = walk(p.graph, p.graph[id].members[s.member], offset, places);
      continue;
    }
    const std::size_t start = aligned(offset, s.align);
    for (const plan::Leaf& l : s.leaves) {
      std::vector<std::size_t> inside;
      walk(p.graph, l.type, start + l.offset, inside);
      EXPECT_EQ(inside.front(), start + l.offset) << "a leaf stands where it must be aligned";
      places.insert(places.end(), inside.begin(), inside.end());
    }
    offset = start + s.size;
  }
  return offset;
}

void expect_agreement(const Planned& p, mint::Id id) {
  for (std::size_t state = 0; state < 8; ++state) {
    std::vector<std::size_t> by_rules, by_plan;
    const std::size_t end = walk(p.graph, id, state, by_rules);
    EXPECT_EQ(follow(p, id, state, by_plan), end) << "from offset " << state;
    EXPECT_EQ(by_plan, by_rules) << "from offset " << state;
    EXPECT_EQ(p.plan[id].size[state], end - state);
    EXPECT_EQ(p.plan[id].end[state], end % 8);
  }
}

std::string random_contract(std::mt19937& random) {
  static constexpr const char* kTypes[] = {"octet", "char",      "boolean", "short", "unsigned short",
                                           "long",  "long long", "double",  "float", "E"};
  std::string text = "enum E { e0, e1, e2 };\n";
  for (int s = 0; s < 6; ++s) {
    text += "struct S" + std::to_string(s) + " {\n";
    const std::uint32_t members = 1 + random() % 7;
    for (std::uint32_t m = 0; m < members; ++m) {
      const std::uint32_t pick = random() % 13;
      const bool nested = pick >= 10 && s > 0;
      text += "  " + (nested ? "S" + std::to_string(random() % static_cast<std::uint32_t>(s))
                             : std::string(kTypes[pick % 10]));
      text += " m" + std::to_string(m);
      if (random() % 5 == 0) text += "[" + std::to_string(1 + random() % 5) + "]";
      text += ";\n";
    }
    text += "};\n";
  }
  return text;
}

TEST(Plan, ChunksAndSizesAgreeWithCdrFromEveryOffset) {
  std::mt19937 random(20261121);
  for (int round = 0; round < 60; ++round) {
    const std::string text = random_contract(random);
    SCOPED_TRACE(text);
    for (const bool inlining : {true, false}) {
      plan::Options options;
      options.inlining = inlining;
      const Planned p = planned(text, options);
      for (int s = 0; s < 6; ++s) expect_agreement(p, id_of(p, "::S" + std::to_string(s)));
    }
    if (HasFailure()) return;
  }
}

TEST(Plan, ARunOfOneAlignmentIsOneChunk) {
  const Planned p = planned("struct S { long a; float b; short c; octet d; long e; };");
  const auto& steps = p.plan[id_of(p, "::S")].steps;
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0].align, 4u);
  EXPECT_EQ(steps[0].size, 16u);
  EXPECT_EQ(steps[0].leaves.size(), 5u);
}

TEST(Plan, WithoutChunksEveryMemberStandsAlone) {
  plan::Options options;
  options.chunks = false;
  const Planned p = planned("struct S { long a; float b; string c; };", options);
  for (const plan::Step& s : p.plan[id_of(p, "::S")].steps) EXPECT_TRUE(s.leaves.empty());
}

TEST(Plan, AStringEndsWhatIsKnownOfTheOffset) {
  const Planned p = planned("struct S { double a; string b; octet c; long d; };");
  const auto& steps = p.plan[id_of(p, "::S")].steps;
  ASSERT_EQ(steps.size(), 4u);
  EXPECT_EQ(steps[3].align, 4u);
}

TEST(Plan, OnlyWhatHasNoGapsAndNoForbiddenValuesIsCopied) {
  const Planned p = planned(
      "struct Plain { short a; char b; long c; octet d; double e; };"
      "struct Flag { long a; boolean b; };"
      "struct Tail { double a; octet b; };"
      "struct Words { long a; long b; };"
      "enum E { x }; struct Enumerated { E a; long b; };");
  EXPECT_TRUE(p.plan[id_of(p, "::Plain")].same_as_host);
  EXPECT_FALSE(p.plan[id_of(p, "::Plain")].packed);
  EXPECT_FALSE(p.plan[id_of(p, "::Flag")].same_as_host);
  EXPECT_FALSE(p.plan[id_of(p, "::Tail")].same_as_host);
  EXPECT_TRUE(p.plan[id_of(p, "::Words")].packed);
  EXPECT_FALSE(p.plan[id_of(p, "::Enumerated")].same_as_host);
  EXPECT_TRUE(p.plan[id_of(p, "::Enumerated")].encodes_as_host);
}

TEST(Plan, BoundedPartsSayHowLargeTheyGet) {
  const Planned p = planned("struct S { string<3> a; sequence<long, 2> b; };");
  const plan::Part& part = p.plan[id_of(p, "::S")];
  EXPECT_EQ(part.storage, plan::Storage::Bounded);
  // 4 and 4 octets of a, up to 3 of padding and 12 of b.
  EXPECT_GE(part.most[0], 8u + 12u);
  EXPECT_LE(part.most[0], 8u + 12u + 3u + 6u);
}

}  // namespace
}  // namespace corbel::idl::test
