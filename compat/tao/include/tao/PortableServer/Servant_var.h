// PortableServer::Servant_var.
#pragma once

#include <corbel/poa.h>
