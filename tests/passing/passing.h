// The cells of the matrix: what is called with values of one type, in all the ways that the mapping's tables
// have.
#pragma once

#include <corbel/poa.h>

#include <string>
#include <vector>

#include "matrix.stub.h"

// Values as text, as tests/random/program.py says them.
struct Results {
  std::string result, b, c;
  std::string again;  // c after a second call with the same holders, which by then hold something
};

// Calls with `first` as in argument and `second` as inout.
typedef Results (*Pass)(Matrix::Server_ptr it, const std::string& first, const std::string& second);

struct Cell {
  const char* name;
  Pass raw;             // values, pointers and arrays that the caller allocates and frees itself
  Pass held, by_names;  // holders as they are, and through in(), inout() and out(); null where there are none
  // Sets the attribute, and gives what it is then.
  std::string (*keep)(Matrix::Server_ptr it, const std::string& text);
  // What came in the exception.
  std::string (*raise)(Matrix::Server_ptr it, const std::string& text);
  // The servant gives a null pointer where none is allowed: as the result or as the out argument. Null where
  // a type has none.
  void (*null)(Matrix::Server_ptr it, bool result);
  bool null_out;  // as the out argument, too
};
const std::vector<Cell>& cells();

void add_factories(CORBA::ORB_ptr orb);
PortableServer::ServantBase* make_servant();

// Values of each cell, in their order.
std::vector<std::vector<std::string>> read_values(const char* file);
