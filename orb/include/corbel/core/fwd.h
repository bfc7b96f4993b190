// Names of the core that public headers mention without needing their definitions.
#pragma once

namespace corbel::core {

class Orb;
class Reference;
class Servant;
class Invocation;

}  // namespace corbel::core
