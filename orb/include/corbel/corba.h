// The client side of the classic C++ mapping.
#pragma once

#include <corbel/cpp/call.h>
#include <corbel/cpp/codec.h>
#include <corbel/cpp/exception.h>
#include <corbel/cpp/object.h>
#include <corbel/cpp/orb.h>
#include <corbel/cpp/sequence.h>
#include <corbel/cpp/string.h>
#include <corbel/cpp/types.h>
#include <corbel/cpp/var.h>
