// What omniORB's own sources and examples ask of the compiler.
#pragma once

#define HAVE_STD 1
#define HAVE_NAMESPACE 1
#define HAVE_BOOL 1
#define HAS_LongLong 1
#define HAS_LongDouble 1
#define OMNI_NAMESPACE_BEGIN(NAME) namespace NAME {
#define OMNI_NAMESPACE_END(NAME) }
#define OMNI_USING_NAMESPACE(NAME) using namespace NAME;
#define OMNIORB_USING_NAMESPACE(NAME) using namespace NAME;
