// The object adapters.
#pragma once

#include <corbel/cpp/tie.h>
#include <corbel/poa.h>
