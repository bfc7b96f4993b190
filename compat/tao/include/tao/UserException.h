// CORBA::UserException.
#pragma once

#include <tao/Exception.h>
