#include <corbel/cpp/object.h>

#include <gtest/gtest.h>

#include <utility>

#include <corbel/cpp/sequence.h>

namespace {

int living = 0;

// Counted as generated interface classes are.
template <int Number>
class Counted : public virtual CORBA::LocalObject {
 public:
  Counted() { ++living; }
  ~Counted() override { --living; }
  CORBA::ULong count() const { return _corbel_count(); }
};
class Base : public virtual Counted<1> {
 public:
  typedef Base* _ptr_type;
  static Base* _duplicate(Base* p) { return corbel::cpp::duplicate(p); }
};
class Derived : public Base {
 public:
  typedef Derived* _ptr_type;
  static Derived* _duplicate(Derived* p) { return corbel::cpp::duplicate(p); }
};
typedef corbel::cpp::ObjectVar<Base> Base_var;
typedef corbel::cpp::ObjectOut<Base> Base_out;
typedef corbel::cpp::ObjectVar<Derived> Derived_var;
typedef corbel::cpp::UnboundedObjectSequence<Base> Bases;

class Objects : public testing::Test {
 protected:
  ~Objects() override { EXPECT_EQ(living, 0) << "references leak"; }
};

TEST_F(Objects, NilIsNullAndReleasingItIsHarmless) {
  EXPECT_TRUE(CORBA::is_nil(CORBA::Object::_nil()));
  EXPECT_EQ(CORBA::Object::_duplicate(CORBA::Object::_nil()), nullptr);
  EXPECT_EQ(CORBA::Object::_narrow(nullptr), nullptr);
  CORBA::release(CORBA::Object::_nil());
  const Base_var var;
  EXPECT_TRUE(CORBA::is_nil(var));
  EXPECT_TRUE(CORBA::is_nil(var.in()));
  EXPECT_THROW(var->count(), CORBA::INV_OBJREF);
}

TEST_F(Objects, DuplicateAddsACountAndReleaseTakesItAway) {
  Base* const p = new Base;
  EXPECT_FALSE(CORBA::is_nil(p));
  EXPECT_EQ(Base::_duplicate(p), p);
  EXPECT_EQ(p->count(), 2u);
  CORBA::release(p);
  EXPECT_EQ(p->count(), 1u);
  CORBA::release(p);
  EXPECT_EQ(living, 0);
}

TEST_F(Objects, VarsAdoptPointersAndDuplicateVars) {
  Base* const p = new Base;
  Base_var a = p;
  EXPECT_EQ(p->count(), 1u);
  a = Base::_duplicate(p);
  EXPECT_EQ(p->count(), 1u);
  Base_var b = a, c;
  c = b;
  c = b;
  c = *&c;
  EXPECT_EQ(p->count(), 3u);
  EXPECT_EQ(a->count(), 3u);
  c = new Base;
  EXPECT_EQ(p->count(), 2u);
  Base_var d = std::move(b);
  EXPECT_TRUE(CORBA::is_nil(b));
  c = std::move(d);
  EXPECT_EQ(p->count(), 2u);
  EXPECT_EQ(living, 1);
  c = Base_var();
  EXPECT_EQ(p->count(), 1u);
}

TEST_F(Objects, VarsPassThemselvesInEveryMode) {
  Base_var var = new Base;
  Base* const first = var.in();
  EXPECT_EQ(static_cast<Base*>(var), first);
  CORBA::release(var.inout());
  var.inout() = new Base;
  EXPECT_EQ(living, 1);
  EXPECT_EQ(var.out(), nullptr);
  EXPECT_EQ(living, 0);
  var.out() = new Base;
  Base* const returned = var._retn();
  EXPECT_TRUE(CORBA::is_nil(var));
  CORBA::release(returned);
}

TEST_F(Objects, VarsOfDerivedInterfacesWiden) {
  Derived_var derived = new Derived;
  Base_var a = derived, b;
  b = derived;
  EXPECT_EQ(derived->count(), 3u);
  CORBA::Object_var object = derived;
  object = b;
  EXPECT_EQ(derived->count(), 4u);
  EXPECT_EQ(a.in(), derived.in());
}

void give(Base_out out, Base* adopted) { out = adopted; }
void copy(Base_out out, const Base_var& copied) { out = copied; }
void pass_on(Base_out out, Base* adopted) { give(out, adopted); }

void give_element(Base_out out, Bases& from) { out = from[2]; }

TEST_F(Objects, OutReleasesWhatAVarHeldAndNotWhatAPointerHeld) {
  Base_var var = new Base;
  give(var, new Base);
  EXPECT_EQ(living, 1);
  pass_on(var.out(), new Base);
  EXPECT_EQ(living, 1);
  Base_var second;
  copy(second, var);
  EXPECT_EQ(var->count(), 2u);
  Base* raw = var.in();
  give(raw, new Base);
  EXPECT_NE(raw, var.in());
  EXPECT_EQ(var->count(), 2u);
  CORBA::release(raw);
}

TEST_F(Objects, SequencesBeginNilAdoptPointersAndReleaseThem) {
  Bases s;
  s.length(3);
  EXPECT_TRUE(CORBA::is_nil(s[0]));
  s[0] = new Base;
  s[1] = Base::_duplicate(s[0]);
  EXPECT_EQ(s[0]->count(), 2u);
  s[0] = new Base;
  EXPECT_EQ(living, 2);
  s.length(1);
  EXPECT_EQ(living, 1);
  s.length(2);
  EXPECT_TRUE(CORBA::is_nil(s[1]));
  s.length(0);
  EXPECT_EQ(living, 0);
}

TEST_F(Objects, ElementsAndVarsDuplicateEachOther) {
  Bases s;
  s.length(3);
  Base_var var = new Base;
  s[0] = var;
  s[1] = s[0];
  Bases other;
  other.length(1);
  other[0] = s[1];
  EXPECT_EQ(var->count(), 4u);
  Base_var made = s[0], assigned;
  assigned = s[1];
  EXPECT_EQ(var->count(), 6u);
  const Bases& constant = s;
  Base_var from_constant = constant[0];
  from_constant = constant[1];
  s[2] = constant[0];
  EXPECT_EQ(var->count(), 8u);
  EXPECT_EQ(constant[0]->count(), 8u);
  EXPECT_FALSE(CORBA::is_nil(constant[0]));
  CORBA::Object_var object = s[0];
  EXPECT_EQ(var->count(), 9u);
  Derived_var derived = new Derived;
  s[2] = derived;
  EXPECT_EQ(derived->count(), 2u);
  Base* out = nullptr;
  give_element(out, s);
  EXPECT_EQ(derived->count(), 3u);
  CORBA::release(out);
}

TEST_F(Objects, ElementsPassThemselvesInEveryMode) {
  Bases s;
  s.length(1);
  s[0] = new Base;
  EXPECT_EQ(s[0].in()->count(), 1u);
  CORBA::release(s[0].inout());
  s[0].inout() = new Base;
  EXPECT_EQ(living, 1);
  s[0].out() = new Base;
  EXPECT_EQ(living, 1);
  Base* const returned = s[0]._retn();
  EXPECT_TRUE(CORBA::is_nil(s[0]));
  CORBA::release(returned);
}

TEST_F(Objects, SequencesCopyTheirReferences) {
  Base_var var = new Base;
  Bases s;
  s.length(2);
  s[0] = var;
  {
    Bases copy = s;
    EXPECT_EQ(var->count(), 3u);
    copy = s;
    copy = *&copy;
    EXPECT_EQ(var->count(), 3u);
    Bases moved = std::move(copy);
    EXPECT_EQ(var->count(), 3u);
  }
  EXPECT_EQ(var->count(), 2u);
  for (CORBA::ULong n = 2; n < 100; ++n) s.length(n);
  EXPECT_EQ(var->count(), 2u);
}

TEST_F(Objects, SequencesThatDoNotOwnTheirBufferLeaveReferencesAlone) {
  Base_var a = new Base, b = new Base;
  Base* buffer[2] = {a.in(), b.in()};
  {
    Bases s(2, 2, buffer, false);
    s[0] = b.in();
    EXPECT_EQ(b->count(), 1u);
    s.length(1);
    Bases copy = s;
    EXPECT_EQ(b->count(), 2u);
  }
  EXPECT_EQ(buffer[0], b.in());
  EXPECT_EQ(a->count(), 1u);
  EXPECT_EQ(b->count(), 1u);
}

}  // namespace
