// Runs a program with the moment of its exec in the environment: exec-stamp PROGRAM [ARGUMENT ...].
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "support.h"

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  setenv("BENCH_EXEC_NS", std::to_string(bench::now_ns()).c_str(), 1);
  execv(argv[1], argv + 1);
  std::perror(argv[1]);
  return 1;
}
