// The standard exceptions.
#pragma once

#include <tao/Exception.h>
