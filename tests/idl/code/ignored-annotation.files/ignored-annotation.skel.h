// Made by corbel-idl from ignored-annotation.idl; do not edit.
#pragma once

#include <corbel/poa.h>

#include "ignored-annotation.stub.h"
