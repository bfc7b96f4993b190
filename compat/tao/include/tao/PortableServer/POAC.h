// PortableServer::POA.
#pragma once

#include <corbel/poa.h>
