// Runs a .cu file's case on the GPU that is here: what program.cpp does on the engine.
#include <cstdio>
#include <string>

/// The .cu file's.
bool run_case(const std::string& name);

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const bool right = run_case(argv[1]);
  if (!right) std::fprintf(stderr, "%s: not what it should be\n", argv[1]);
  return right ? 0 : 1;
}
