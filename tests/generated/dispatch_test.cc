// Every way to find operations finds the same ones, whatever name a request brings.
#include <corbel/cpp/call.h>
#include <corbel/poa.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dispatch.skel.h"

namespace {

// A call of what may not be an operation of the contract. The name stands in memory of exactly its size, and
// lives for ever as those of stubs do.
class NamedCall {
 public:
  explicit NamedCall(const std::string& name, std::uint16_t number = 0) : operation_(known(name, number)) {}
  std::int32_t number(CORBA::Object_ptr target) {
    corbel::cpp::Call call(*target, operation_);
    std::int32_t result = -1;
    if (!call.invoke().get(result)) call.bad_results();
    return result;
  }
  void set(CORBA::Object_ptr target, std::int32_t value) {
    corbel::cpp::Call call(*target, operation_);
    call.arguments().put(value);
    call.invoke();
  }
  // Of an operation without arguments or with a string.
  bool answer(CORBA::Object_ptr target, const char* argument = nullptr) {
    corbel::cpp::Call call(*target, operation_);
    if (argument) call.arguments().put_string(argument);
    bool result = false;
    if (!call.invoke().get_boolean(result)) call.bad_results();
    return result;
  }

 private:
  struct Known {
    std::unique_ptr<char[]> memory;
    corbel::cpp::Operation operation{{nullptr, 0, false}, nullptr, 0};
  };
  static const corbel::cpp::Operation& known(const std::string& name, std::uint16_t number) {
    static std::map<std::pair<std::string, std::uint16_t>, Known> all;
    Known& known = all[{name, number}];
    if (!known.memory) {
      known.memory.reset(new char[name.size() + 1]);
      std::copy_n(name.c_str(), name.size() + 1, known.memory.get());
      known.operation.name = known.memory.get();
      known.operation.name_length = static_cast<std::uint32_t>(name.size());
      known.operation.number = number;
    }
    return known.operation;
  }
  const corbel::cpp::Operation& operation_;
};

// Every operation returns its number here.
#define ROOT_OPERATIONS(X) \
  X(a)                     \
  X(ab)                    \
  X(abc)                   \
  X(abcd) X(abcdefg) X(abcdefgh) X(abcdefghi) X(size) X(get_size) X(interface) X(_cxx_while) X(_cxx_delete)
#define LEFT_OPERATIONS(X) \
  X(transfer_in)           \
  X(transfer_on)           \
  X(Yransfer_in_) X(transferXin) X(name) X(length) X(call) X(hash) X(turns) X(slots) X(table) X(names)
#define RIGHT_OPERATIONS(X) X(b) X(ba) X(aa) X(bb) X(is_a) X(non_existent) X(get_size_)
// clang-format off
#define BOTH_OPERATIONS(X) \
  X(operation_of_a_name_that_goes_on_and_on_for_longer_than_any_word_1_and_ends_in_the_same_way) \
  X(operation_of_a_name_that_goes_on_and_on_for_longer_than_any_word_2_and_ends_in_the_same_way) \
  X(operation_of_a_name_that_goes_on_and_on_for_longer_than_any_word_2_and_ends_in_another_way_) \
  X(Zperation_of_a_name_that_goes_on_and_on_for_longer_than_any_word_1_and_ends_in_the_same_way) \
  X(x1y1z) X(x1y2z) X(x2y1z) X(x2y2z) X(word_0_word_0_word_0_word_0_) X(word_1_word_0_word_0_word_0_) \
  X(word_0_word_1_word_0_word_0_) X(word_1_word_1_word_0_word_0_) X(word_0_word_0_word_1_word_0_) \
  X(word_0_word_0_word_0_word_1_) X(word_1_word_1_word_1_word_1_)
// clang-format on

enum Number : std::int32_t {
#define ENUMERATOR(method) kNumber_##method,
  ROOT_OPERATIONS(ENUMERATOR) LEFT_OPERATIONS(ENUMERATOR) RIGHT_OPERATIONS(ENUMERATOR)
      BOTH_OPERATIONS(ENUMERATOR)
#undef ENUMERATOR
};

// What requests call a method.
std::string wire(const std::string& method) {
  if (method == "size" || method == "get_size_") return "_get_" + method;  // attributes
  return method.starts_with("_cxx_") ? method.substr(5) : method;
}

typedef std::map<std::string, std::int32_t> Names;
#define ENTRY(method) {wire(#method), kNumber_##method},
const Names kRoot = {ROOT_OPERATIONS(ENTRY)};
const Names kRight = {ROOT_OPERATIONS(ENTRY) RIGHT_OPERATIONS(ENTRY)};
const Names kBoth = {ROOT_OPERATIONS(ENTRY) LEFT_OPERATIONS(ENTRY) RIGHT_OPERATIONS(ENTRY)
                         BOTH_OPERATIONS(ENTRY)};
#undef ENTRY

#define METHOD(method) \
  CORBA::Long method() override { return kNumber_##method; }

template <typename Skeleton>
struct RootServant : Skeleton {
  ROOT_OPERATIONS(METHOD)
  CORBA::Long width() override { return width_; }
  void width(CORBA::Long value) override { width_ = value; }
  CORBA::Long width_ = 0;
};
template <typename Skeleton>
struct RightServant : RootServant<Skeleton> {
  RIGHT_OPERATIONS(METHOD)
};
template <typename Skeleton>
struct BothServant : RightServant<Skeleton> {
  LEFT_OPERATIONS(METHOD)
  BOTH_OPERATIONS(METHOD)
};
template <typename Skeleton>
struct SingleServant : Skeleton {
  CORBA::Long only() override { return 7; }
};
template <typename Skeleton>
struct NothingServant : Skeleton {};

#define WAY(way)                                                  \
  struct way##Way {                                               \
    typedef BothServant<POA_##way::Both> Both;                    \
    typedef RightServant<POA_##way::Right> Right;                 \
    typedef RootServant<POA_##way::Root> Root;                    \
    typedef SingleServant<POA_##way::Single> Single;              \
    typedef NothingServant<POA_##way::Nothing> Nothing;           \
    static constexpr const char* kRoot = "IDL:" #way "/Root:1.0"; \
  };
WAY(Linear)
WAY(Binary)
WAY(Table)
WAY(Perfect)
WAY(Words)
WAY(Active)

std::vector<std::string> neighbours(const std::string& name) {
  std::vector<std::string> all = {name + name, name + std::string(1, '\0'), "_get_" + name, "_set_" + name,
                                  name + std::string(300, 'x')};
  for (std::size_t i = 0; i < name.size(); ++i) {
    all.push_back(name.substr(0, i));
    all.push_back(name.substr(i + 1));
    for (const int change : {0x01, 0x20, 0x80, static_cast<int>(name[i])}) {  // the last makes it 0
      all.push_back(name);
      all.back()[i] = static_cast<char>(all.back()[i] ^ change);
    }
    all.push_back(name);
    all.back().insert(i, 1, '\0');
    if (i + 1 < name.size()) {
      all.push_back(name);
      std::swap(all.back()[i], all.back()[i + 1]);
    }
  }
  return all;
}

template <typename Way>
class Dispatch : public testing::Test {
 protected:
  // A reference to a servant, in this ORB or, with a connection between them, in another one.
  template <typename Servant>
  CORBA::Object_ptr object(bool remote = false) {
    int argc = 0;
    if (CORBA::is_nil(server_)) {
      server_ = CORBA::ORB_init(argc, nullptr, "dispatch-server");
      client_ = CORBA::ORB_init(argc, nullptr, "dispatch-client");
      CORBA::Object_var root = server_->resolve_initial_references("RootPOA");
      poa_ = PortableServer::POA::_narrow(root);
      PortableServer::POAManager_var manager = poa_->the_POAManager();
      manager->activate();
    }
    servant_ = new Servant;
    PortableServer::ObjectId_var id = poa_->activate_object(servant_.in());
    CORBA::Object_var here = poa_->id_to_reference(id.in());
    if (!remote) return here._retn();
    CORBA::String_var text = server_->object_to_string(here);
    return client_->string_to_object(text);
  }
  void TearDown() override {
    if (!CORBA::is_nil(client_)) client_->destroy();
    if (!CORBA::is_nil(server_)) server_->destroy();
  }
  static void expect_all(CORBA::Object_ptr target, const Names& names) {
    for (const auto& [name, number] : names) EXPECT_EQ(NamedCall(name).number(target), number) << name;
  }
  static void expect_bad_operation(CORBA::Object_ptr target, const std::string& name) {
    try {
      NamedCall(name).number(target);
      ADD_FAILURE() << "'" << name << "' was found";
    } catch (const CORBA::BAD_OPERATION& e) {
      EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
    }
  }
  CORBA::ORB_var server_, client_;
  PortableServer::ServantBase_var servant_;  // of the last object
  PortableServer::POA_var poa_;
};

typedef testing::Types<LinearWay, BinaryWay, TableWay, PerfectWay, WordsWay, ActiveWay> Ways;
TYPED_TEST_SUITE(Dispatch, Ways);

TYPED_TEST(Dispatch, FindsOwnAndInheritedOperations) {
  for (const bool remote : {false, true}) {
    CORBA::Object_var both = this->template object<typename TypeParam::Both>(remote);
    this->expect_all(both, kBoth);
    CORBA::Object_var right = this->template object<typename TypeParam::Right>(remote);
    this->expect_all(right, kRight);
    CORBA::Object_var root = this->template object<typename TypeParam::Root>(remote);
    this->expect_all(root, kRoot);
  }
}

TYPED_TEST(Dispatch, FindsTheOperationsOfAnAttribute) {
  CORBA::Object_var both = this->template object<typename TypeParam::Both>(true);
  NamedCall("_set_width").set(both, 42);
  EXPECT_EQ(NamedCall("_get_width").number(both), 42);
  this->expect_bad_operation(both, "_set_size");  // it is readonly
}

TYPED_TEST(Dispatch, RefusesNamesThatAreAlmostThoseOfOperations) {
  CORBA::Object_var both = this->template object<typename TypeParam::Both>();
  for (const auto& [name, number] : kBoth)
    for (const std::string& near : neighbours(name))
      if (!kBoth.contains(near) && near != "_get_width" && near != "_set_width")
        this->expect_bad_operation(both, near);
}

TYPED_TEST(Dispatch, RefusesNamesThatAreAlmostThoseOfOperationsOfAClient) {
  CORBA::Object_var right = this->template object<typename TypeParam::Right>(true);
  for (const auto& [name, number] : kRight)
    for (const std::string& near : neighbours(name))
      if (!kRight.contains(near)) this->expect_bad_operation(right, near);
  this->expect_all(right, kRight);
}

TYPED_TEST(Dispatch, RefusesEmptyAndVeryLongNames) {
  for (const bool remote : {false, true}) {
    CORBA::Object_var both = this->template object<typename TypeParam::Both>(remote);
    for (const std::size_t size : {0u, 1u, 7u, 8u, 9u, 255u, 256u, 65'536u, 1'000'000u})
      for (const char octet : {'\0', 'a', '\xff'}) {
        const std::string name(size, octet);
        if (name != "a" && name != "aa") this->expect_bad_operation(both, name);
      }
    this->expect_all(both, kBoth);
  }
}

TYPED_TEST(Dispatch, AnswersWhatEveryObjectAnswers) {
  CORBA::Object_var both = this->template object<typename TypeParam::Both>(true);
  CORBA::Object_var nothing = this->template object<typename TypeParam::Nothing>(true);
  for (CORBA::Object_ptr object : {both.in(), nothing.in()}) {
    EXPECT_EQ(NamedCall("_is_a").answer(object, TypeParam::kRoot), object == both.in());
    EXPECT_TRUE(NamedCall("_is_a").answer(object, "IDL:omg.org/CORBA/Object:1.0"));
    EXPECT_FALSE(NamedCall("_non_existent").answer(object));
    EXPECT_FALSE(NamedCall("_not_existent").answer(object));
    EXPECT_EQ(NamedCall("_component").number(object), 1);  // the length of a nil reference's type
    EXPECT_THROW(NamedCall("_interface").number(object), CORBA::INTF_REPOS);
  }
}

TYPED_TEST(Dispatch, ServesInterfacesOfOneOperationAndOfNone) {
  CORBA::Object_var single = this->template object<typename TypeParam::Single>(true);
  EXPECT_EQ(NamedCall("only").number(single), 7);
  for (const std::string& near : neighbours("only")) this->expect_bad_operation(single, near);
  CORBA::Object_var nothing = this->template object<typename TypeParam::Nothing>(true);
  for (const char* name : {"", "only", "a", "_get_size"}) this->expect_bad_operation(nothing, name);
}

// ---- numbers that clients send

// Notes the number that comes with a request.
struct NumberedServant : ActiveWay::Both {
  void _dispatch(corbel::cpp::Upcall& call) override {
    number = corbel::cpp::operation_number(call);
    ActiveWay::Both::_dispatch(call);
  }
  std::uint32_t number = 0;
};

class Numbers : public Dispatch<ActiveWay> {
 protected:
  static constexpr std::uint16_t kMost = 80;  // more than there are
};

TEST_F(Numbers, AreThoseOfTheInterfaceWhoseStubIsCalled) {
  CORBA::Object_var own = object<NumberedServant>(true);
  auto* const servant = dynamic_cast<NumberedServant*>(servant_.in());
  Active::Both_var both = Active::Both::_narrow(own);
  EXPECT_EQ(both->a(), kNumber_a);
  EXPECT_EQ(servant->number, 1u);
  EXPECT_EQ(both->_cxx_delete(), kNumber__cxx_delete);
  EXPECT_EQ(servant->number, 14u);  // the last of Root
  EXPECT_EQ(both->transfer_in(), kNumber_transfer_in);
  EXPECT_EQ(servant->number, 15u);
  EXPECT_EQ(both->b(), kNumber_b);
  EXPECT_EQ(servant->number, 15u);  // each of the two bases counts from Root on
  EXPECT_EQ(both->x1y1z(), kNumber_x1y1z);
  EXPECT_EQ(servant->number, 14u + 12u + 7u + 5u);
}

TEST_F(Numbers, AreNotSentByOtherStubsNorInsideAProcess) {
  CORBA::Object_var away = object<NumberedServant>(true);
  auto* servant = dynamic_cast<NumberedServant*>(servant_.in());
  EXPECT_EQ(NamedCall("a").number(away), kNumber_a);
  EXPECT_EQ(servant->number, 0u);
  CORBA::Object_var here = object<NumberedServant>(false);
  servant = dynamic_cast<NumberedServant*>(servant_.in());
  EXPECT_EQ(NamedCall("a", 1).number(here), kNumber_a);
  EXPECT_EQ(servant->number, 0u);
}

TEST_F(Numbers, ThatAreForgedChangeNothing) {
  CORBA::Object_var both = object<ActiveWay::Both>(true);
  for (std::uint16_t number = 1; number <= kMost; ++number)
    for (const auto& [name, expected] : kBoth)
      ASSERT_EQ(NamedCall(name, number).number(both), expected) << name << ' ' << number;
  for (const std::uint16_t number : {0x100, 0x1234, 0x7fff, 0x8000, 0xffff})
    ASSERT_EQ(NamedCall("abc", number).number(both), kNumber_abc) << number;
}

TEST_F(Numbers, OfOperationsDoNotBringNamesThatAreNone) {
  CORBA::Object_var both = object<ActiveWay::Both>(true);
  for (std::uint16_t number = 1; number <= kMost; ++number)
    for (const char* name : {"", "aaa", "abd", "x9y9z", "transfer_io", "_get_length"})
      EXPECT_THROW(NamedCall(name, number).number(both), CORBA::BAD_OPERATION) << name << ' ' << number;
}

TEST_F(Numbers, OfAnInterfaceThatTheObjectNoLongerHasDoNotReachItsOthers) {
  CORBA::Object_var first = object<ActiveWay::Both>(true);
  CORBA::PolicyList policies;
  policies.length(1);
  policies[0] = poa_->create_id_assignment_policy(PortableServer::USER_ID);
  PortableServer::POA_var named =
      poa_->create_POA("named", PortableServer::POAManager_var(poa_->the_POAManager()), policies);
  PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("it");
  PortableServer::Servant_var<ActiveWay::Both> before = new ActiveWay::Both;
  named->activate_object_with_id(id.in(), before);
  CORBA::Object_var here = named->id_to_reference(id.in());
  CORBA::String_var text = server_->object_to_string(here);
  CORBA::Object_var away = client_->string_to_object(text);
  Active::Both_var both = Active::Both::_narrow(away);
  EXPECT_EQ(both->x1y1z(), kNumber_x1y1z);
  EXPECT_EQ(both->get_size_(), kNumber_get_size_);
  named->deactivate_object(id.in());
  EXPECT_THROW(both->x1y1z(), CORBA::OBJECT_NOT_EXIST);
  PortableServer::Servant_var<ActiveWay::Right> after = new ActiveWay::Right;
  named->activate_object_with_id(id.in(), after);
  EXPECT_THROW(both->x1y1z(), CORBA::BAD_OPERATION);
  EXPECT_THROW(both->transfer_in(), CORBA::BAD_OPERATION);  // another operation has its number
  EXPECT_EQ(both->b(), kNumber_b);
  EXPECT_EQ(both->get_size_(), kNumber_get_size_);
}

}  // namespace
