// Any and TypeCode of the classic C++ mapping.
#pragma once

#include <corbel/cpp/any.h>
#include <corbel/cpp/any_exceptions.h>
#include <corbel/cpp/any_members.h>
#include <corbel/cpp/any_seq.h>
#include <corbel/cpp/type_code.h>
