// A request that is used again takes no memory: neither operator new nor malloc is called in its thread.
#include <corbel/dynamic.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "contract.any.h"
#include "tests/calls/everything.h"

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
}

namespace {
thread_local bool counting = false;
thread_local unsigned allocations = 0;
void count() {
  if (counting) ++allocations;
}
}  // namespace

// In front of the C library's, which operator new calls, too.
extern "C" {
void* malloc(std::size_t size) {
  count();
  return __libc_malloc(size);
}
void* calloc(std::size_t n, std::size_t size) {
  count();
  return __libc_calloc(n, size);
}
void* realloc(void* old, std::size_t size) {
  count();
  return __libc_realloc(old, size);
}
}

namespace {

// Of ten calls in a row, when some have been made.
template <typename Call>
unsigned allocations_of(Call call) {
  for (int i = 0; i < 20; ++i) call(i);
  allocations = 0;
  counting = true;
  for (int i = 0; i < 10; ++i) call(i);
  counting = false;
  return allocations;
}

class ReusedRequests : public testing::Test {
 protected:
  TwoOrbs orbs;
  CORBA::Request_var request(const char* operation) { return orbs.everything->_request(operation); }
};

TEST_F(ReusedRequests, TakeNoMemoryForNumbers) {
  const CORBA::Request_var r = request("plus");
  CORBA::Any& n = r->add_in_arg();
  r->set_return_type(CORBA::_tc_long);
  CORBA::Long sum = 0;
  EXPECT_EQ(allocations_of([&](CORBA::Long i) {
              n <<= i;
              r->invoke();
              CORBA::Long result = 0;
              r->return_value() >>= result;
              sum += result;
            }),
            0u);
  EXPECT_EQ(sum, 20 * 21 / 2 + 10 * 11 / 2);
  EXPECT_EQ(allocations_of([&](CORBA::Long i) {
              n <<= i;
              r->send_deferred();
              r->get_response();
            }),
            0u);
  EXPECT_FALSE(r->env()->exception());
}

TEST_F(ReusedRequests, KeepTheirMemoryForTextAndStructures) {
  const CORBA::Request_var text = request("text");
  CORBA::Any& a = text->add_in_arg();
  CORBA::Any& b = text->add_inout_arg();
  text->add_out_arg().replace(CORBA::_tc_string, nullptr);
  text->set_return_type(CORBA::_tc_string);
  EXPECT_EQ(allocations_of([&](CORBA::Long) {
              a <<= "a text that does not stand in an Any itself";
              b <<= "another one, of the same kind";
              text->invoke();
            }),
            0u);
  EXPECT_FALSE(text->env()->exception());
  const CORBA::Request_var point = request("give_point");
  CORBA::Any& p = point->add_in_arg();
  CORBA::Any& q = point->add_inout_arg();
  point->add_out_arg().replace(Contract::_tc_Point, nullptr);
  point->set_return_type(Contract::_tc_Point);
  const Contract::Point some{3, 'p', 6, 9, 0.75};
  p <<= some;
  q <<= some;
  EXPECT_EQ(allocations_of([&](CORBA::Long) { point->invoke(); }), 0u);
  EXPECT_FALSE(point->env()->exception());
}

}  // namespace
