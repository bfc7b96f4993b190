#include <corbel/cpp/var.h>

#include <gtest/gtest.h>

#include <utility>

#include <corbel/cpp/exception.h>
#include <corbel/cpp/sequence.h>

namespace {

using namespace corbel::cpp;

struct Point {
  CORBA::Long x, y;
};
typedef FixedVar<Point> Point_var;

struct Person {
  StringMember name;
  CORBA::Long age = 0;
};
typedef VariableVar<Person> Person_var;
typedef VariableOut<Person, Person_var> Person_out;

typedef UnboundedSequence<CORBA::Long> Longs;
typedef SequenceVar<Longs> Longs_var;
typedef VariableOut<Longs, Longs_var> Longs_out;

Person* ada() {
  auto* const p = new Person;
  p->name = "Ada, whose name is longer than a member";
  return p;
}

template <typename Var, typename T>
void check_ownership(T* first, T* second) {
  Var var = first;
  EXPECT_EQ(var.ptr(), first);
  var = first;
  EXPECT_EQ(var.ptr(), first);
  Var copy = var;
  EXPECT_NE(copy.ptr(), first);
  var = second;
  EXPECT_EQ(var.ptr(), second);
  var = copy;
  EXPECT_NE(var.ptr(), copy.ptr());
  var = *&var;
  T* const own = var.ptr();
  Var moved = std::move(var);
  EXPECT_EQ(moved.ptr(), own);
  EXPECT_EQ(var.ptr(), nullptr);
  copy = std::move(moved);
  EXPECT_EQ(copy.ptr(), own);
  const Var none;
  copy = none;
  EXPECT_EQ(copy.ptr(), nullptr);
  Var of_none = none;
  EXPECT_EQ(of_none.ptr(), nullptr);
  const T value{};
  of_none = value;
  EXPECT_NE(of_none.ptr(), &value);
  const Var of_value = value;
  EXPECT_NE(of_value.ptr(), &value);
  of_none = static_cast<T*>(nullptr);
  EXPECT_EQ(of_none.ptr(), nullptr);
}

TEST(Vars, AdoptPointersAndCopyEverythingElse) {
  check_ownership<Point_var>(new Point{1, 2}, new Point{3, 4});
  check_ownership<Person_var>(ada(), new Person);
  check_ownership<Longs_var>(new Longs(3), new Longs);
}

TEST(Vars, ThatAreEmptyRaiseBadParam) {
  Person_var person;
  EXPECT_THROW(person->age = 1, CORBA::BAD_PARAM);
  EXPECT_THROW(person.in(), CORBA::BAD_PARAM);
  EXPECT_THROW(person.inout(), CORBA::BAD_PARAM);
  Point_var point;
  EXPECT_THROW(point._retn(), CORBA::BAD_PARAM);
  Longs_var longs;
  EXPECT_THROW(longs[0u], CORBA::BAD_PARAM);
}

TEST(Vars, ConvertToTheirValue) {
  Person_var var = ada();
  const Person& constant = var;
  Person& value = var;
  Person*& pointer = var;
  EXPECT_EQ(&constant, var.ptr());
  EXPECT_EQ(&value, var.ptr());
  EXPECT_EQ(pointer, var.ptr());
  EXPECT_EQ(&var.in(), var.ptr());
  EXPECT_EQ(&var.inout(), var.ptr());
  const Person_var& same = var;
  EXPECT_EQ(same->age, 0);
  Longs_var longs = new Longs;
  longs->length(2);
  longs[1u] = 5;
  const Longs_var& const_longs = longs;
  EXPECT_EQ(const_longs[1u], 5);
}

TEST(FixedVars, GiveTheirValue) {
  Point_var var = new Point{1, 2};
  EXPECT_EQ(var._retn().y, 2);
  EXPECT_NE(var.ptr(), nullptr);
  var.out() = Point{3, 4};
  EXPECT_EQ(var->x, 3);
  Point_var none;
  none.out() = Point{5, 6};
  EXPECT_EQ(none->x, 5);
}

TEST(VariableVars, GiveTheirPointer) {
  Person_var var = ada();
  Person* const p = var._retn();
  EXPECT_EQ(var.ptr(), nullptr);
  var = p;
  EXPECT_EQ(var.out(), nullptr);
  EXPECT_EQ(var.ptr(), nullptr);
  var.out() = ada();
  EXPECT_NE(var.ptr(), nullptr);
}

void give(Person_out out) {
  out = ada();
  out->age = 36;
}
void pass_on(Person_out out) { give(out); }
void leave(Person_out) {}
void give_longs(Longs_out out) {
  out = new Longs;
  out->length(2);
  out[1] = 7;
}

TEST(OutParameters, FreeWhatAVarHeldAndNotWhatAPointerHeld) {
  Person_var var = ada();
  give(var);
  EXPECT_EQ(var->age, 36);
  pass_on(var.out());
  EXPECT_EQ(var->age, 36);
  leave(var);
  EXPECT_EQ(var.ptr(), nullptr);
  Person mine;
  Person* pointer = &mine;
  give(pointer);
  EXPECT_NE(pointer, &mine);
  var = pointer;
  Longs_var longs = new Longs;
  give_longs(longs.out());
  EXPECT_EQ(longs[1u], 7);
}

// Arrays as generated code names them.
template <typename Element>
struct PairTraits {
  typedef Element array[2];
  typedef Element slice;
  static slice* alloc() { return new slice[2]; }
  static slice* dup(const slice* from) {
    slice* const copy = alloc();
    for (int i = 0; i < 2; ++i) copy[i] = from[i];
    return copy;
  }
  static void copy(slice* to, const slice* from) {
    for (int i = 0; i < 2; ++i) to[i] = from[i];
  }
  static void free(slice* a) { delete[] a; }
};
typedef FixedArrayVar<PairTraits<CORBA::Long>> Row_var;
typedef VariableArrayVar<PairTraits<StringMember>> Names_var;
typedef ArrayOut<PairTraits<StringMember>> Names_out;

template <typename Var, typename Slice>
void check_arrays(Slice* first, Slice* second) {
  Var var = first;
  EXPECT_EQ(var.in(), first);
  EXPECT_EQ(var.inout(), first);
  EXPECT_EQ(static_cast<Slice*>(var), first);
  var = first;
  Var copy = var;
  EXPECT_NE(copy.in(), first);
  var = second;
  copy = var;
  copy = *&copy;
  EXPECT_NE(copy.in(), second);
  Var moved = std::move(var);
  EXPECT_EQ(moved.in(), second);
  EXPECT_EQ(var.in(), nullptr);
  Slice* const returned = moved._retn();
  EXPECT_EQ(returned, second);
  EXPECT_EQ(moved.in(), nullptr);
  var = returned;
  moved = Var();
  EXPECT_EQ(moved.in(), nullptr);
  const Var& constant = var;
  EXPECT_EQ(&constant[1], second + 1);
  EXPECT_EQ(static_cast<const Slice*>(constant), second);
}

TEST(ArrayVars, AdoptSlicesAndCopyVars) {
  check_arrays<Row_var>(PairTraits<CORBA::Long>::alloc(), PairTraits<CORBA::Long>::alloc());
  check_arrays<Names_var>(PairTraits<StringMember>::alloc(), PairTraits<StringMember>::alloc());
}

TEST(ArrayVars, OfFixedLengthKeepTheirMemoryForOut) {
  Row_var var;
  CORBA::Long* const memory = var.out();
  ASSERT_NE(memory, nullptr);
  EXPECT_EQ(var.out(), memory);
  var[1] = 3;
  Row_var copy = var;
  EXPECT_EQ(copy[1], 3);
}

void give_names(Names_out out) {
  out = PairTraits<StringMember>::alloc();
  out[0] = "a name that is longer than a member";
}

TEST(ArrayVars, OfVariableLengthFreeTheirMemoryForOut) {
  Names_var var = PairTraits<StringMember>::alloc();
  var[1] = "old";
  give_names(var);
  EXPECT_STREQ(var[0].in(), "a name that is longer than a member");
  EXPECT_STREQ(var[1].in(), "");
  give_names(var.out());
  StringMember* raw = nullptr;
  give_names(raw);
  var = raw;
}

}  // namespace
