// Values to encapsulations and back (CORBA 3.4 part 1, "Portable Interceptors", "Codec").
#pragma once

#include <corbel/idl/IOP.stub.h>

#include "orb/core/orb.h"

namespace corbel::interceptors {

// The caller releases it. What it decodes belongs to `orb`, which it keeps.
IOP::CodecFactory_ptr make_codec_factory(core::Orb& orb);

}  // namespace corbel::interceptors
