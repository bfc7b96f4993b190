// Finding the operation of a request, and nothing else: operations STRATEGY COUNT CALLS runs that many
// requests for operations in random order on a skeleton of COUNT operations. STRATEGY is one of corbel-idl
// --dispatch but active, which needs messages, or `plain`: a loop of length test and memcmp over the same
// names. Instructions are counted from outside.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "dispatch_servants.h"

namespace {

class Request : public corbel::core::Upcall {
 public:
  Request() { response_expected_ = true; }
  void name(const char* name, std::uint32_t length) {
    operation_ = name;
    operation_length_ = length;
  }
};

struct Name {
  const char* name;
  std::uint32_t length;
  void (*function)(Ran& ran);
};

// Stands for what runs the operation; the others run one, too.
[[gnu::noinline]] void run(Ran& ran) { ran.last = 0; }

[[gnu::noinline]] void plain(const std::vector<Name>& names, Ran& ran, const Request& request) {
  for (const Name& n : names)
    if (n.length == request.operation_length() &&
        std::memcmp(n.name, request.operation(), request.operation_length()) == 0)
      return n.function(ran);
  std::abort();
}

std::vector<std::uint32_t> random_order(std::uint32_t count) {
  std::vector<std::uint32_t> order(1 << 14);
  std::uint64_t state = 1;
  for (std::uint32_t& i : order) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    i = static_cast<std::uint32_t>((state >> 33) % count);
  }
  return order;
}

template <typename Dispatch>
void repeat(const std::vector<Name>& names, std::uint64_t calls, const Dispatch& dispatch) {
  const std::vector<std::uint32_t> order = random_order(static_cast<std::uint32_t>(names.size()));
  Request request;
  for (std::uint64_t i = 0; i < calls; ++i) {
    const Name& n = names[order[i % order.size()]];
    request.name(n.name, n.length);
    dispatch(request);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::string strategy = argv[1];
  const auto count = static_cast<std::uint32_t>(std::atoi(argv[2]));
  const std::uint64_t calls = std::strtoull(argv[3], nullptr, 10);
  std::vector<Name> names;
  for (std::uint32_t i = 0; i < count; ++i)
    names.push_back({kOperationNames[i], static_cast<std::uint32_t>(std::strlen(kOperationNames[i])), run});
  if (strategy == "plain") {
    Ran ran;
    repeat(names, calls, [&](const Request& request) { plain(names, ran, request); });
    return 0;
  }
  for (const DispatchStrategy& s : kDispatchStrategies) {
    if (strategy != s.name || strategy == "active") continue;
    const DispatchServant servant = s.new_servant(count);
    if (!servant.servant) return 2;
    // The operations that ran are those that were asked for.
    for (std::uint32_t i = 0; i < count; ++i) {
      Request request;
      request.name(names[i].name, names[i].length);
      servant.servant->_dispatch(request);
      if (servant.ran->last != i) return 1;
    }
    repeat(names, calls, [&](Request& request) { servant.servant->_dispatch(request); });
    servant.servant->_remove_ref();
    return 0;
  }
  return 2;
}
