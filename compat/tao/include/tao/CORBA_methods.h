// CORBA::release, is_nil and their like.
#pragma once

#include <corbel/corba.h>
