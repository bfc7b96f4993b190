#pragma once
#include "param_test.hh"
