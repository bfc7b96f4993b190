// References, servants and ties, as programs for other ORBs use them.
#include <gtest/gtest.h>

#include <corbel/poa.h>

#include <cwchar>

#include "classic.skel.h"

namespace {

typedef corbel::cpp::UnboundedObjectSequence<Classic::Shape> ShapeSeq;
typedef corbel::cpp::VariableOut<ShapeSeq, corbel::cpp::SequenceVar<ShapeSeq>> ShapesOut;

class ShapeServant : public virtual POA_Classic::Shape {
 public:
  ~ShapeServant() override { ++gone; }
  char* label() override { return CORBA::string_dup(label_); }
  void label(const char* text) override { label_ = text; }
  Classic::Shape::ColorSeq* colors() override { return new Classic::Shape::ColorSeq; }
  void fail() override {
    Classic::Shape::Point where;
    where.x = 1;
    where.y = 2;
    throw Classic::Shape::Flaw(where);
  }
  void text(const char* a, char*& b, CORBA::String_out c) override {
    c = static_cast<const char*>(b);
    CORBA::string_free(b);
    b = CORBA::string_dup(a);
  }
  void wide(const CORBA::WChar* a, CORBA::WChar*& b, CORBA::WString_out c) override {
    c = static_cast<const CORBA::WChar*>(b);
    CORBA::wstring_free(b);
    b = CORBA::wstring_dup(a);
  }
  void refer(Classic::Shape_ptr a, Classic::Shape_ptr& b, Classic::Shape_out c) override {
    c = b;
    b = Classic::Shape::_duplicate(a);
  }
  corbel::cpp::UnboundedStringSequence* halves(const corbel::cpp::UnboundedStringSequence& a,
                                               corbel::cpp::BoundedSequence<CORBA::Long, 2>& b,
                                               ShapesOut c) override {
    c = new corbel::cpp::UnboundedObjectSequence<Classic::Shape>;
    c->length(b.length());
    for (CORBA::ULong i = 0; i < c->length(); ++i) c[i] = _this();
    b.length(1);
    b[0] = 7;
    return new corbel::cpp::UnboundedStringSequence(a);
  }
  void names_of(const Classic::TwoNames a, Classic::TwoNames b, Classic::TwoNames_out c) override {
    c = Classic::TwoNames_dup(b);
    Classic::TwoNames_copy(b, a);
  }
  static inline int gone = 0;

 private:
  CORBA::String_var label_ = "none";
};

// A diamond, whose implementations are inherited like the interfaces.
class RoundServant : public virtual POA_Classic::Round, public virtual ShapeServant {
 public:
  CORBA::Long radius() override { return 4; }
};
class FlexibleServant : public virtual POA_Classic::Flexible, public virtual ShapeServant {
 public:
  void bend(CORBA::Double angle) override { angle_ = angle; }
  CORBA::Double angle_ = 0;
};
class TubeServant : public virtual POA_Classic::Tube,
                    public virtual RoundServant,
                    public virtual FlexibleServant,
                    public virtual PortableServer::RefCountServantBase {
 public:
  void flush(CORBA::Long) override {}
};

class Objects : public testing::Test {
 protected:
  void SetUp() override {
    int argc = 0;
    orb_ = CORBA::ORB_init(argc, nullptr, "classic");
    CORBA::Object_var object = orb_->resolve_initial_references("RootPOA");
    poa_ = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var manager = poa_->the_POAManager();
    manager->activate();
    gone_ = ShapeServant::gone;
  }
  void TearDown() override {
    poa_ = PortableServer::POA::_nil();
    orb_->destroy();
  }
  int gone() const { return ShapeServant::gone - gone_; }

  CORBA::ORB_var orb_;
  PortableServer::POA_var poa_;
  int gone_ = 0;
};

void set_object(Classic::Shape_ptr& object, Classic::Shape_ptr to) {
  CORBA::release(object);
  object = Classic::Shape::_duplicate(to);
}
void give_object(Classic::Shape_out object, Classic::Shape_ptr what) {
  object = Classic::Shape::_duplicate(what);
}

TEST_F(Objects, GoIntoInoutAndOutParametersFromEveryHolder) {
  PortableServer::Servant_var<TubeServant> servant = new TubeServant;
  PortableServer::ObjectId_var id = poa_->activate_object(servant);
  Classic::Tube_var tube = servant->_this();
  Classic::Shapes shapes;
  shapes.length(2);
  Classic::Pair pair;
  Classic::Shape_var var;
  set_object(shapes[0], tube);
  set_object(pair[0], tube);
  set_object(var, tube);
  give_object(shapes[1], tube);
  give_object(pair[1], tube);
  for (Classic::Shape_ptr object : {shapes[0].in(), shapes[1].in(), pair[0].in(), pair[1].in(), var.in()})
    EXPECT_TRUE(tube->_is_equivalent(object));
  give_object(var, Classic::Shape::_nil());
  EXPECT_TRUE(CORBA::is_nil(var));
  give_object(shapes[1], Classic::Shape::_nil());
  EXPECT_TRUE(CORBA::is_nil(shapes[1]));
}

TEST_F(Objects, WidenAlongADiamond) {
  PortableServer::Servant_var<TubeServant> servant = new TubeServant;
  PortableServer::ObjectId_var id = poa_->activate_object(servant);
  Classic::Tube_var tube = servant->_this();
  Classic::Round_var round = tube;
  Classic::Flexible_var flexible = Classic::Tube::_duplicate(tube);
  Classic::Shape_var shape = round;
  CORBA::Object_var object = flexible;
  EXPECT_EQ(round->radius(), 4);
  flexible->bend(2.5);
  EXPECT_EQ(servant->angle_, 2.5);
  shape->label("named");
  CORBA::String_var label = tube->label();
  EXPECT_STREQ(label, "named");
  tube = Classic::Tube::_narrow(object);
  ASSERT_FALSE(CORBA::is_nil(tube));
  EXPECT_TRUE(shape->_is_a("IDL:classic.org/Classic/Flexible:1.0"));
  EXPECT_TRUE(servant->_is_a("IDL:classic.org/Classic/Shape:1.0"));
  EXPECT_FALSE(servant->_is_a("IDL:classic.org/Classic/Other:1.0"));
  try {
    shape->fail();
    FAIL();
  } catch (const Classic::Shape::Flaw& e) {
    EXPECT_EQ(e.where.y, 2);
  }
}

TEST_F(Objects, CallThroughMembersAndElements) {
  PortableServer::Servant_var<TubeServant> servant = new TubeServant;
  PortableServer::ObjectId_var id = poa_->activate_object(servant);
  Classic::Shape_var shape = servant->_this();
  Classic::LargeStruct s;
  s.name = "member";
  Classic::Strings strings;
  strings.length(1);
  strings[0] = "element";
  shape->text("new", s.name, strings[0]);
  EXPECT_STREQ(s.name, "new");
  EXPECT_STREQ(strings[0], "member");
  Classic::WStrings wide;
  wide.length(2);
  wide[0] = L"first";
  shape->wide(L"new", wide[0], wide[1]);
  EXPECT_STREQ(wide[0], L"new");
  EXPECT_STREQ(wide[1], L"first");
  Classic::Shapes shapes;
  shapes.length(2);
  shape->refer(shape, shapes[0], shapes[1]);
  EXPECT_TRUE(shape->_is_equivalent(shapes[0]));
  EXPECT_TRUE(CORBA::is_nil(shapes[1]));
  Classic::TwoNames a, b;
  Classic::TwoNames_var c;
  a[0] = "a";
  b[0] = "b";
  shape->names_of(a, b, c);
  EXPECT_STREQ(b[0], "a");
  EXPECT_STREQ(c[0], "b");
}

TEST_F(Objects, PassSequencesThatHaveNoName) {
  PortableServer::Servant_var<TubeServant> servant = new TubeServant;
  PortableServer::ObjectId_var id = poa_->activate_object(servant);
  Classic::Shape_var shape = servant->_this();
  corbel::cpp::UnboundedStringSequence words;
  words.length(2);
  words[1] = "second";
  corbel::cpp::BoundedSequence<CORBA::Long, 2> numbers;
  numbers.length(2);
  corbel::cpp::SequenceVar<ShapeSeq> shapes;
  corbel::cpp::SequenceVar<corbel::cpp::UnboundedStringSequence> same = shape->halves(words, numbers, shapes);
  EXPECT_STREQ(same[1], "second");
  ASSERT_EQ(numbers.length(), 1u);
  EXPECT_EQ(numbers[0], 7);
  ASSERT_EQ(shapes->length(), 2u);
  EXPECT_TRUE(shape->_is_equivalent(shapes[1]));
}

TEST_F(Objects, ServantVarsOfBasesHoldACountOfTheirOwn) {
  {
    PortableServer::Servant_var<TubeServant> tube = new TubeServant;
    PortableServer::ServantBase_var base = tube;
    EXPECT_EQ(tube->_refcount_value(), 2u);
    PortableServer::Servant_var<ShapeServant> shape;
    shape = tube;
    EXPECT_EQ(tube->_refcount_value(), 3u);
    base = shape;
    EXPECT_EQ(tube->_refcount_value(), 3u);
    PortableServer::Servant_var<TubeServant> again =
        PortableServer::Servant_var<TubeServant>::_duplicate(tube.in());
    EXPECT_EQ(tube->_refcount_value(), 4u);
    EXPECT_EQ(PortableServer::Servant_var<TubeServant>::_duplicate(nullptr), nullptr);
    EXPECT_EQ(gone(), 0);
  }
  EXPECT_EQ(gone(), 1);
}

TEST_F(Objects, IdsAreWideStringsToo) {
  PortableServer::ObjectId_var id = PortableServer::wstring_to_ObjectId(L"id \x20ac");
  CORBA::WString_var text = PortableServer::ObjectId_to_wstring(id);
  EXPECT_STREQ(text, L"id \x20ac");
  PortableServer::ObjectId_var empty = PortableServer::wstring_to_ObjectId(L"");
  EXPECT_EQ(empty->length(), 0u);
  text = PortableServer::ObjectId_to_wstring(empty);
  EXPECT_STREQ(text, L"");
  id->length(3);
  EXPECT_THROW(PortableServer::ObjectId_to_wstring(id), CORBA::BAD_PARAM);
  EXPECT_THROW(PortableServer::wstring_to_ObjectId(nullptr), CORBA::BAD_PARAM);
}

}  // namespace
