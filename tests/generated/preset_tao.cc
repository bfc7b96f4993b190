// Stubs and operators of Any in one header, skeletons in another that includes it.
#include <type_traits>

#include "valuesC.h"
#include "valuesS.h"

int main() {
  CORBA::Any any;
  any <<= Values::green;
  Values::Color color;
  using Tie = POA_Values::Server_tie<CORBA::Any>;
  static_assert(std::is_base_of<POA_Values::Server, Tie>::value, "");
  const bool servant = std::is_base_of<PortableServer::ServantBase, POA_Values::Server>::value;
  return servant && (any >>= color) && color == Values::green ? 0 : 1;
}
