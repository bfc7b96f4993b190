// Values in chunks inside a message of GIOP 1.1 that came in fragments, each of which counts alignment from
// its own header: cut at every octet, whatever stands there, and bytes of someone who means harm.
#include <corbel/any.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "values.any.h"
#include "written_message.h"

namespace {

using namespace value_message;

const char* const kBase = "IDL:Values/Base:1.0";
const char* const kMiddle = "IDL:Values/Middle:1.0";
const char* const kDerived = "IDL:Values/Derived:1.0";
const char* const kNode = "IDL:Values/Node:1.0";
const char* const kUnknown = "IDL:Values/Unknown:1.0";
class ValueFragments : public testing::TestWithParam<bool> {
 protected:
  ValueFragments() {
    const char* args[] = {"test", nullptr};
    int argc = 1;
    orb = CORBA::ORB_init(argc, const_cast<char**>(args), "fragments");
    add<OBV_Values::Base>(kBase);
    add<OBV_Values::Derived>(kDerived);
    add<OBV_Values::Node>(kNode);
  }
  ~ValueFragments() override {
    orb->destroy();
    EXPECT_EQ(alive, 0) << "values leak";
  }
  template <typename OBV>
  void add(const char* id) {
    CORBA::ValueFactory_var factory = new Factory<OBV>;
    CORBA::ValueFactory_var old = orb->register_value_factory(id, factory.in());
  }

  // One of everything: a value in chunks with another inside, one that is not, one that is cut off, a
  // reference into what was cut off, Anys.
  Written message(std::vector<std::size_t> cuts) const {
    Written m(GetParam(), std::move(cuts));
    const std::size_t whole = m.tag(kIds | kChunked);
    m.number(3).text(kDerived);
    m.text(kMiddle);
    const std::size_t base = m.text(kBase);
    m.open().number(7).number(6).raw("he").close();
    m.open().raw(std::string("llo\0", 4)).close();
    const std::size_t inner = m.tag(kOneId | kChunked);
    m.back(base).open().number(9).close().end(2);
    m.open().back(inner).real(2.5).close().end(1);
    const std::size_t first = m.tag(kOneId);
    m.text(kNode);
    m.number(1).tag(0);
    m.number(2).number(0).back(first).number(0);
    m.tag(kIds | kChunked);
    m.number(2).text(kUnknown);
    m.back(base).open().number(3).close();
    const std::size_t cut = m.tag(kOneId | kChunked);
    m.back(base).open().number(4).close().end(2);
    m.open().raw("more").close().end(1);
    m.back(cut);
    m.type(Values::_tc_Base).back(whole);
    m.type(Values::_tc_Base).tag(kOneId | kChunked);
    m.back(base).open().number(5).close().end(1);
    m.number(77);
    return m;
  }

  struct Results {
    Values::Base_var whole;
    Values::Node_var node;
    Values::Base_var rest;
    CORBA::ValueBase_var cut;
    CORBA::Any first, second;
    CORBA::Long last = 0;
    ~Results() {
      if (node.in() && node->next()) node->next()->back(nullptr);
      if (node.in()) node->_corbel_clear();
    }
  };
  bool read(const std::string& bytes, const std::vector<std::uint32_t>& starts, Results& r) const {
    // Exactly as large, so that sanitizers see who reads beyond it.
    const std::unique_ptr<char[]> memory(new char[bytes.size()]);
    std::memcpy(memory.get(), bytes.data(), bytes.size());
    const corbel::cdr::Fragments fragments{memory.get(), memory.get() + bytes.size(), starts.data(),
                                           static_cast<std::uint32_t>(starts.size())};
    Decoder in(memory.get(), memory.get() + kHeader, memory.get() + bytes.size(), GetParam());
    in.set_context(nullptr, false, &orb->_corbel_core());
    in.set_older(1);
    if (!starts.empty()) in.set_fragments(fragments);
    corbel::cpp::ReadValues scope(in);
    try {
      return corbel::cpp::get_value(in, r.whole) && corbel::cpp::get_value(in, r.node) &&
             corbel::cpp::get_value(in, r.rest) && corbel::cpp::get_value(in, r.cut) &&
             r.first._corbel_unmarshal(in) && r.second._corbel_unmarshal(in) && in.get(r.last) &&
             in.remaining() == 0;
    } catch (const CORBA::MARSHAL&) {
      return false;
    }
  }
  void check(std::vector<std::size_t> cuts) const {
    const Written m = message(std::move(cuts));
    Results r;
    ASSERT_TRUE(read(m.bytes_, m.starts_, r));
    auto* const derived = Values::Derived::_downcast(r.whole.in());
    ASSERT_TRUE(derived);
    EXPECT_EQ(derived->a(), 7);
    EXPECT_STREQ(derived->b(), "hello");
    EXPECT_EQ(derived->inner()->a(), 9);
    EXPECT_EQ(derived->cut(), derived->inner());
    EXPECT_EQ(derived->c(), 2.5);
    EXPECT_EQ(r.node->id(), 1);
    EXPECT_EQ(r.node->next()->id(), 2);
    EXPECT_EQ(r.node->next()->back(), r.node.in());
    EXPECT_EQ(r.rest->a(), 3);
    auto* const cut = Values::Base::_downcast(r.cut.in());
    ASSERT_TRUE(cut);
    EXPECT_EQ(cut->a(), 4);
    Values::Base* found = nullptr;
    ASSERT_TRUE(r.first >>= found);
    EXPECT_EQ(found, r.whole.in());
    ASSERT_TRUE(r.second >>= found);
    EXPECT_EQ(found->a(), 5);
    EXPECT_EQ(r.last, 77);
  }
  CORBA::ORB_var orb;
};
INSTANTIATE_TEST_SUITE_P(Orders, ValueFragments, testing::Bool(),
                         [](const auto& i) { return i.param ? "Swapped" : "Native"; });

TEST_P(ValueFragments, MayBeginAnywhere) {
  const std::size_t whole = message({}).bytes_.size();
  for (std::size_t cut = kHeader; cut <= whole; ++cut) {
    SCOPED_TRACE(cut);
    check({cut});
  }
}

TEST_P(ValueFragments, MayBeAsManyAsTheyLike) {
  for (const std::size_t size : {5, 7, 9, 12, 13, 20, 24, 31, 100}) {
    SCOPED_TRACE(size);
    std::vector<std::size_t> cuts;
    for (std::size_t at = kHeader + size; at < 2000; at += size) cuts.push_back(at);
    check(cuts);
  }
}

TEST_P(ValueFragments, MayBeCutShortOrChanged) {
  std::vector<std::size_t> cuts;
  for (std::size_t at = kHeader + 13; at < 2000; at += 13) cuts.push_back(at);
  const Written good = message(cuts);
  for (std::size_t size = kHeader; size < good.bytes_.size(); ++size) {
    std::vector<std::uint32_t> starts;
    for (const std::uint32_t start : good.starts_)
      if (start <= size) starts.push_back(start);
    Results r;
    EXPECT_FALSE(read(good.bytes_.substr(0, size), starts, r)) << size;
  }
  EXPECT_EQ(alive, 0);
  for (std::size_t i = kHeader; i < good.bytes_.size(); ++i)
    for (const unsigned char with : {0x00, 0x01, 0x0c, 0x7f, 0x80, 0xff, 0xe4}) {
      std::string bytes = good.bytes_;
      bytes[i] = static_cast<char>(with);
      {
        Results r;
        read(bytes, good.starts_, r);
      }
      EXPECT_EQ(alive, 0) << "octet " << i;
    }
}

}  // namespace
