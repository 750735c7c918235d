// Prints every passage that two files share, with its bytes in both.
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "zhiwen/compare.h"

static std::string ReadFile(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: shared_passages A B\n";
    return 2;
  }
  const std::string a = ReadFile(argv[1]);
  const std::string b = ReadFile(argv[2]);
  const zhiwen::Result<zhiwen::Comparison> comparison = zhiwen::Compare(a, b, {});
  if (!comparison) {
    std::cerr << comparison.error().message << "\n";
    return zhiwen::TraitsOf(comparison.error().code).exit_status;
  }
  std::cout << "resemblance " << comparison->resemblance << "\n";
  for (const zhiwen::SharedRun& run : comparison->runs) {
    std::cout << "bytes " << run.a_bytes.begin.value << " and " << run.b_bytes.begin.value << ": "
              << a.substr(run.a_bytes.begin.value, run.a_bytes.size()) << "\n";
  }
  return 0;
}
