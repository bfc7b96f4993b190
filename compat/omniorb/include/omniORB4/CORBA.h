// All of the classic mapping, as omniORB's header of this name has it: Any, values, adapters, threads,
// naming.
#pragma once

#include <corbel/any.h>
#include <corbel/corba.h>
#include <corbel/cpp/context.h>
#include <corbel/cpp/fixed.h>
#include <corbel/cpp/tie.h>
#include <corbel/cpp/value.h>
#include <corbel/cpp/wide.h>
#include <corbel/idl/CosNaming.any.h>
#include <corbel/idl/CosNaming.skel.h>
#include <corbel/idl/CosNaming.stub.h>
#include <corbel/poa.h>
#include <omniORB4/CORBA_sysdep.h>
#include <omniORB4/omniORB.h>
#include <omnithread.h>
