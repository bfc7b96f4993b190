#include <corbel/cpp/dispatch.h>

#include <cstring>

namespace corbel::cpp {

std::uint32_t search_operation(const OperationName* names, std::uint32_t count, const core::Upcall& call) {
  const char* const name = call.operation();
  const std::uint32_t length = call.operation_length();
  std::uint32_t begin = 0, end = count;
  while (begin != end) {
    const std::uint32_t middle = begin + (end - begin) / 2;
    const OperationName& here = names[middle];
    const int order =
        length != here.length ? (length < here.length ? -1 : 1) : std::memcmp(name, here.name, length);
    if (order == 0) return middle;
    if (order < 0) end = middle;
    else begin = middle + 1;
  }
  return kNoOperation;
}

}  // namespace corbel::cpp
