#pragma once
#include "ttcp_sequence.hh"
