// The server side of the classic C++ mapping; includes the client side.
#pragma once

#include <corbel/corba.h>
#include <corbel/cpp/poa.h>
