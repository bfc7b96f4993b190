// PortableServer::ServantBase.
#pragma once

#include <corbel/poa.h>
