#include <corbel/ziop.h>

#include "orb/ziop/compression.h"
#include "orb/ziop/mapping.h"

namespace corbel::ziop {

void use() {
  register_policies();
  register_manager();
  register_library();
}

}  // namespace corbel::ziop
