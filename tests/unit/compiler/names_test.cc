#include <gtest/gtest.h>

#include "tests/unit/compiler/compile_text.h"

namespace corbel::idl::test {
namespace {

using Kinds = std::vector<Kind>;

TEST(Names, AreFoundFromTheInsideOut) {
  const auto c =
      compile_text("typedef long T; module M { typedef short T; module N { struct S { T a; ::T b; }; }; };");
  ASSERT_TRUE(c->ok()) << c->messages();
  const auto* m = static_cast<const aoi::Module*>(c->contract.declarations[1]);
  const auto* n = static_cast<const aoi::Module*>(m->declarations[1]);
  const auto* s = static_cast<const aoi::Struct*>(n->declarations[0]);
  EXPECT_EQ(s->fields[0].type->decl->scoped_name, "::M::T");
  EXPECT_EQ(s->fields[1].type->decl->scoped_name, "::T");
}

TEST(Names, OfReopenedModulesAreKnown) {
  EXPECT_EQ(kinds_of("module M { typedef long A; }; module N {}; module M { typedef A B; };"), Kinds{});
}

TEST(Names, AreInherited) {
  EXPECT_EQ(
      kinds_of("interface A { typedef long T; }; interface B : A {}; interface C : B { attribute T t1; };"
               "typedef C::T U;"),
      Kinds{});
}

TEST(Names, InheritedTwiceFromOneDeclarationAreNotAmbiguous) {
  EXPECT_EQ(kinds_of("interface A { typedef long T; }; interface B : A {}; interface C : A {};"
                     "interface D : B, C { attribute T t1; };"),
            Kinds{});
}

TEST(Names, InheritedFromTwoDeclarationsAreAmbiguousWhenUsed) {
  const std::string bases =
      "interface A { typedef long T; }; interface B { typedef long T; }; interface C : A, B {";
  EXPECT_EQ(kinds_of(bases + "};"), Kinds{});
  EXPECT_EQ(kinds_of(bases + "attribute A::T one; };"), Kinds{});
  EXPECT_EQ(kinds_of(bases + "attribute T one; };"), Kinds{Kind::AmbiguousName});
}

TEST(Names, ThatWereUsedKeepTheirMeaning) {
  EXPECT_EQ(kinds_of("typedef long T; interface I { attribute T a; typedef short T; };"),
            Kinds{Kind::ChangedMeaning});
  EXPECT_EQ(kinds_of("typedef long T; interface I { typedef short T; attribute T a; };"), Kinds{});
  EXPECT_EQ(kinds_of("typedef long T; interface I { attribute ::T a; typedef short T; };"), Kinds{});
  EXPECT_EQ(kinds_of("typedef long T; struct S { T t; };"), Kinds{Kind::ChangedMeaning});
  EXPECT_EQ(kinds_of("struct Data { long a; }; interface I { void f(in Data data); };"),
            Kinds{Kind::ChangedMeaning});
  EXPECT_EQ(kinds_of("struct Data { long a; }; interface I { void f(in Data d); void g(in long data); };"),
            Kinds{});
}

TEST(Names, ThatDifferInCaseOnlyClash) {
  EXPECT_EQ(kinds_of("typedef long Abc; typedef long aBC;"), Kinds{Kind::CaseClash});
  EXPECT_EQ(kinds_of("module Abc {}; module abc {};"), Kinds{Kind::CaseClash});
  EXPECT_EQ(kinds_of("typedef long Abc; typedef abc D;"), Kinds{Kind::CaseClash});
  EXPECT_EQ(kinds_of("interface A { void f(in long x, in long X); };"), Kinds{Kind::CaseClash});
}

TEST(Names, OfKeywordsNeedAnEscape) {
  EXPECT_EQ(kinds_of("struct Struct { long a; };"), Kinds{Kind::KeywordClash});
  EXPECT_EQ(kinds_of("typedef long _struct; typedef _struct Other;"), Kinds{});
  EXPECT_EQ(kinds_of("typedef long Factory;"), Kinds{Kind::ReservedWord});
  EXPECT_EQ(kinds_of("typedef long _Factory;"), Kinds{});
  EXPECT_EQ(kinds_of("typedef long valuetype;"), Kinds{Kind::KeywordClash});
}

TEST(Names, EscapedAndPlainAreTheSame) {
  EXPECT_EQ(kinds_of("typedef long _abc; typedef abc D; typedef _abc E;"), Kinds{});
  EXPECT_EQ(kinds_of("typedef long _abc; typedef long abc;"), Kinds{Kind::Redefinition});
}

TEST(Names, OfTheirOwnScopeAreTaken) {
  EXPECT_EQ(kinds_of("module M { typedef long M; };"), Kinds{Kind::Redefinition});
  EXPECT_EQ(kinds_of("interface I { void i(); };"), Kinds{Kind::Redefinition});
}

TEST(Names, OfBasesCannotBeOperationsAgain) {
  EXPECT_EQ(kinds_of("interface A { void f(); }; interface B : A { void f(); };"),
            Kinds{Kind::InheritedClash});
  EXPECT_EQ(kinds_of("interface A { void f(); }; interface B { void f(); }; interface C : A, B {};"),
            Kinds{Kind::InheritedClash});
  EXPECT_EQ(
      kinds_of("interface A { void f(); }; interface B : A {}; interface C : A {}; interface D : B, C {};"),
      Kinds{});
}

TEST(Names, OfATypeCanBeDeclaredAgainInADerivedInterface) {
  EXPECT_EQ(kinds_of("interface A { typedef long T; }; interface B : A { typedef short T; };"), Kinds{});
}

TEST(Types, HoldThemselvesOnlyThroughSequences) {
  EXPECT_EQ(kinds_of("struct S { sequence<S> inner; };"), Kinds{});
  EXPECT_EQ(kinds_of("struct S; typedef sequence<S> Q; struct S { Q q1; };"), Kinds{});
  EXPECT_EQ(kinds_of("struct S { S other; };"), Kinds{Kind::RecursiveType});
  EXPECT_EQ(kinds_of("struct S { S other[3]; };"), Kinds{Kind::RecursiveType});
  EXPECT_EQ(kinds_of("struct A; struct B { A one; }; struct A { long x; };"), Kinds{Kind::IncompleteType});
}

TEST(Types, KnowWhetherTheyAreRecursive) {
  const auto c = compile_text(
      "struct A; typedef sequence<A> As; struct B { As list; }; struct A { B inner; }; struct C { A one; };");
  ASSERT_TRUE(c->ok()) << c->messages();
  const auto at = [&](std::size_t i) {
    return static_cast<const aoi::Struct*>(c->contract.declarations[i])->recursive;
  };
  EXPECT_TRUE(at(0));
  EXPECT_TRUE(at(2));
  EXPECT_FALSE(at(4));
}

TEST(Types, MayBeForwardDeclaredButMustBeDefined) {
  EXPECT_EQ(kinds_of("struct S;"), Kinds{Kind::IncompleteType});
  EXPECT_EQ(kinds_of("interface I; interface J { I get(); };"), Kinds{});
  EXPECT_EQ(kinds_of("interface I; interface I; interface I {}; interface I;"), Kinds{});
}

TEST(Interfaces, ListAncestorsBasesFirst) {
  const auto c =
      compile_text("interface A {}; interface B : A {}; interface C : A {}; interface D : B, C {};");
  const auto& d = *static_cast<const aoi::Interface*>(c->contract.declarations[3]);
  std::string names;
  for (const aoi::Interface* i : aoi::ancestors(d)) names += i->name;
  EXPECT_EQ(names, "ABC");
}

TEST(RepositoryIds, DoNotInheritThePrefixOfAnIncludedFile) {
  const auto c = compile(
      "main.idl", in_memory({{"main.idl", "#pragma prefix \"one\"\n#include \"b.idl\"\ninterface A {};"},
                             {"b.idl", "interface B {};\n#pragma prefix \"two\"\ninterface C {};"}}));
  ASSERT_TRUE(c->ok()) << c->messages();
  EXPECT_EQ(c->contract.declarations[0]->repository_id, "IDL:B:1.0");
  EXPECT_EQ(c->contract.declarations[1]->repository_id, "IDL:two/C:1.0");
  EXPECT_EQ(c->contract.declarations[2]->repository_id, "IDL:one/A:1.0");
  EXPECT_FALSE(c->contract.declarations[0]->in_main_file);
  EXPECT_TRUE(c->contract.declarations[2]->in_main_file);
}

}  // namespace
}  // namespace corbel::idl::test
