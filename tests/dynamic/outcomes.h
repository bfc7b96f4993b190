// How calls without stubs end, as text, and what Anys hold.
#pragma once

#include <corbel/any.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

// A standard exception as name, minor code and completion.
inline std::string text_of(const CORBA::SystemException& e) {
  char text[80];
  std::snprintf(text, sizeof text, "%s/%x/%d", e._name(), e.minor(), static_cast<int>(e.completed()));
  return text;
}
template <typename Body>
std::string thrown(Body body) {
  try {
    body();
  } catch (const CORBA::SystemException& e) {
    return text_of(e);
  } catch (const CORBA::Exception& e) {
    return e._name();
  }
  return "none";
}

template <typename T>
T value_of(const CORBA::Any& any) {
  T value{};
  EXPECT_TRUE(any >>= value);
  return value;
}
