// PortableServer::Current.
#pragma once

#include <corbel/poa.h>
