#include <corbel/cpp/exception.h>

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <typeinfo>

namespace {

using corbel::SystemErrorId;

class StandardExceptions : public testing::TestWithParam<int> {
 protected:
  SystemErrorId id() const { return static_cast<SystemErrorId>(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(, StandardExceptions, testing::Range(1, corbel::kSystemErrorCount),
                         [](const auto& i) { return corbel::name(static_cast<SystemErrorId>(i.param)); });

TEST_P(StandardExceptions, AreThrownWithTheirIdMinorAndCompletion) {
  const std::string name = corbel::name(id()), repository_id = "IDL:omg.org/CORBA/" + name + ":1.0";
  EXPECT_EQ(corbel::system_error_id(repository_id.data(), repository_id.size()), id());
  try {
    corbel::cpp::raise({id(), corbel::Completion::Maybe, 0x4f4d0007, "detail"});
  } catch (const CORBA::SystemException& e) {
    EXPECT_EQ(e._name(), name);
    EXPECT_EQ(e._rep_id(), repository_id);
    EXPECT_EQ(e.minor(), 0x4f4d0007u);
    EXPECT_EQ(e.completed(), CORBA::COMPLETED_MAYBE);
    EXPECT_NE(std::string(e.what()).find(name), std::string::npos);
    EXPECT_NE(std::string(e.what()).find("0x4f4d0007"), std::string::npos);
    EXPECT_NE(std::string(e.what()).find("MAYBE: detail"), std::string::npos);
    const std::unique_ptr<CORBA::Exception> copy(e._corbel_duplicate());
    EXPECT_EQ(copy->_rep_id(), repository_id);
    const CORBA::Exception& same = *copy;
    EXPECT_EQ(typeid(same), typeid(e));
    try {
      copy->_raise();
    } catch (const CORBA::SystemException& thrown) {
      EXPECT_EQ(typeid(thrown), typeid(e));
      EXPECT_EQ(thrown.minor(), e.minor());
      EXPECT_EQ(thrown.completed(), e.completed());
    }
  }
}

template <typename E>
class StandardClasses : public testing::Test {};
typedef testing::Types<
    CORBA::ACTIVITY_COMPLETED, CORBA::ACTIVITY_REQUIRED, CORBA::BAD_CONTEXT, CORBA::BAD_INV_ORDER,
    CORBA::BAD_OPERATION, CORBA::BAD_PARAM, CORBA::BAD_QOS, CORBA::BAD_TYPECODE, CORBA::CODESET_INCOMPATIBLE,
    CORBA::COMM_FAILURE, CORBA::DATA_CONVERSION, CORBA::FREE_MEM, CORBA::IMP_LIMIT, CORBA::INITIALIZE,
    CORBA::INTERNAL, CORBA::INTF_REPOS, CORBA::INVALID_ACTIVITY, CORBA::INVALID_TRANSACTION, CORBA::INV_FLAG,
    CORBA::INV_IDENT, CORBA::INV_OBJREF, CORBA::INV_POLICY, CORBA::MARSHAL, CORBA::NO_IMPLEMENT,
    CORBA::NO_MEMORY, CORBA::NO_PERMISSION, CORBA::NO_RESOURCES, CORBA::NO_RESPONSE, CORBA::OBJECT_NOT_EXIST,
    CORBA::OBJ_ADAPTER, CORBA::PERSIST_STORE, CORBA::REBIND, CORBA::TIMEOUT, CORBA::TRANSACTION_MODE,
    CORBA::TRANSACTION_REQUIRED, CORBA::TRANSACTION_ROLLEDBACK, CORBA::TRANSACTION_UNAVAILABLE,
    CORBA::TRANSIENT, CORBA::UNKNOWN>
    AllStandard;
TYPED_TEST_SUITE(StandardClasses, AllStandard);

TYPED_TEST(StandardClasses, AreMadeCopiedAndCaughtByTheirOwnClass) {
  const TypeParam plain;
  EXPECT_EQ(plain.minor(), 0u);
  EXPECT_EQ(plain.completed(), CORBA::COMPLETED_NO);
  TypeParam e(7, CORBA::COMPLETED_YES);
  const TypeParam copy = e;
  EXPECT_EQ(copy.minor(), 7u);
  EXPECT_EQ(copy.completed(), CORBA::COMPLETED_YES);
  e.minor(8);
  e.completed(CORBA::COMPLETED_MAYBE);
  EXPECT_EQ(e.minor(), 8u);
  EXPECT_EQ(e.completed(), CORBA::COMPLETED_MAYBE);
  e = copy;
  EXPECT_EQ(e.minor(), 7u);
  EXPECT_THROW(copy._raise(), TypeParam);
  EXPECT_THROW(corbel::cpp::raise(copy._corbel_error()), TypeParam);
}

TYPED_TEST(StandardClasses, AreFoundByDowncast) {
  TypeParam e;
  CORBA::Exception* const base = &e;
  const CORBA::Exception* const constant = &e;
  EXPECT_EQ(TypeParam::_downcast(base), &e);
  EXPECT_EQ(TypeParam::_downcast(constant), &e);
  EXPECT_EQ(CORBA::SystemException::_downcast(base), &e);
  EXPECT_EQ(CORBA::SystemException::_downcast(constant), &e);
  EXPECT_EQ(CORBA::UserException::_downcast(base), nullptr);
  EXPECT_EQ(TypeParam::_downcast(static_cast<CORBA::Exception*>(nullptr)), nullptr);
  CORBA::MARSHAL marshal;
  CORBA::TRANSIENT transient;
  CORBA::Exception* const other =
      e._rep_id() == std::string(marshal._rep_id()) ? static_cast<CORBA::Exception*>(&transient) : &marshal;
  EXPECT_EQ(TypeParam::_downcast(other), nullptr);
}

TEST(StandardIds, AreAllDifferent) {
  std::set<std::string> ids;
  for (int i = 1; i < corbel::kSystemErrorCount; ++i)
    ids.insert(corbel::repository_id(static_cast<SystemErrorId>(i)));
  EXPECT_EQ(ids.size(), static_cast<std::size_t>(corbel::kSystemErrorCount - 1));
}

TEST(StandardIds, ThatNobodyKnowsAreUnknown) {
  for (const std::string id :
       {"", "IDL:omg.org/CORBA/MARSHAL:1.1", "IDL:omg.org/CORBA/MARSHAL:1.", "MARSHAL",
        "IDL:omg.org/CORBA/MARSHALS:1.0", "IDL:omg.org/CORBA/:1.0", "IDL:Own/MARSHAL:1.0"})
    EXPECT_EQ(corbel::system_error_id(id.data(), id.size()), SystemErrorId::UNKNOWN) << id;
}

TEST(SystemException, IsCaughtAsStandardExceptionAndSaysWhatItIs) {
  try {
    throw CORBA::OBJECT_NOT_EXIST(3, CORBA::COMPLETED_YES);
  } catch (const std::exception& e) {
    EXPECT_STREQ(e.what(), "CORBA::OBJECT_NOT_EXIST, minor 0x00000003, completed YES");
  }
}

TEST(SystemException, SaysALongDetailToItsEnd) {
  for (const std::size_t size : {1u, 130u, 138u, 139u, 140u, 141u, 142u, 143u, 150u, 1000u}) {
    const std::string detail(size, 'd');
    try {
      corbel::cpp::raise({SystemErrorId::MARSHAL, corbel::Completion::No, 0, detail.c_str()});
    } catch (const CORBA::Exception& e) {
      EXPECT_EQ(e.what(), "CORBA::MARSHAL, minor 0x00000000, completed NO: " + detail);
    }
  }
}

}  // namespace
