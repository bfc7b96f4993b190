// What the classic mapping shows of compression.
#pragma once

namespace corbel::ziop {

// Kinds of policies, and the initial reference "CompressionManager". Any thread, any number of times.
void register_policies();
void register_manager();

}  // namespace corbel::ziop
