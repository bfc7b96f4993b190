// DynAny in the classic C++ mapping (CORBA 3.4 part 1, "Dynamic Management of Any Values"): the library
// Corbel::dynamic_any. Programs that link it have "DynAnyFactory" among the initial references of their ORBs;
// those that do not pay nothing for it.
//
// Values of Anys whose types nobody knew when the program was compiled are taken to pieces, changed and put
// together. A DynAny and all that were obtained from it belong to one thread at a time; copy() gives one that
// does not depend on it. What has been destroyed, with or as a part of something, raises OBJECT_NOT_EXIST; so
// does a component whose DynAny got another value as a whole. Memory is freed when the last reference has
// been released, destroyed or not.
//
// Components are made when they are asked for, and runs of numbers never are by the operations on sequences
// of basic types, which are thus the fast way. IMP_LIMIT is raised by default values and sequences larger
// than 256 MiB, by default values of more than 1,000 levels or 16 Mi steps, by what nests more than 5,000
// deep or is larger than 4 GiB, and by equal() for Anys 128 deep in each other or 1,000,000 pairs of values.
#pragma once

#include <corbel/any.h>
#include <corbel/cpp/abstract.h>
#include <corbel/idl/DynamicAny.any.h>
#include <corbel/idl/DynamicAny.stub.h>
