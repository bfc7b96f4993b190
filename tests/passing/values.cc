#include <fstream>
#include <stdexcept>

#include "tests/passing/passing.h"

std::vector<std::vector<std::string>> read_values(const char* name) {
  std::ifstream file(name);
  std::vector<std::vector<std::string>> values(cells().size());
  std::size_t i = 0;
  for (std::string line; std::getline(file, line);) {
    const std::size_t end = line.find(' ');
    const std::string cell = line.substr(0, end);
    while (i < cells().size() && cell != cells()[i].name) ++i;
    if (i == cells().size()) throw std::runtime_error("values of " + cell);
    values[i].push_back(end == std::string::npos ? "" : line.substr(end + 1));
  }
  return values;
}
