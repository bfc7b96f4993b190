// Calls without stubs and servants without skeletons in the classic C++ mapping: the library Corbel::dynamic.
#pragma once

#include <corbel/any.h>
#include <corbel/cpp/named_values.h>
#include <corbel/cpp/request.h>
#include <corbel/cpp/server_request.h>
