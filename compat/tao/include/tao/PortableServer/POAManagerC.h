// PortableServer::POAManager.
#pragma once

#include <corbel/poa.h>
