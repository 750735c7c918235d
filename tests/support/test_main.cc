// The main of every test program: ZHIWEN_SIMD=scalar|avx2|avx512 chooses the kernels; a level that
// the processor lacks skips all tests and says so, never counts them as passed.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "support/paths.h"
#include "zhiwen/simd.h"

namespace zhiwen {

std::string SourceFolder() { return ZHIWEN_SOURCE_DIR; }
std::string LanguageFilePath() { return ZHIWEN_LANGUAGE_FILE; }

}  // namespace zhiwen

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (const char* wanted = std::getenv("ZHIWEN_SIMD"); wanted != nullptr && *wanted != '\0') {
    const auto level = zhiwen::ParseSimdLevel(wanted);
    if (!level) {
      std::cerr << level.error().message << '\n';
      return 2;
    }
    if (const auto selected = zhiwen::SelectKernels(*level); !selected) {
      std::cout << "skipped: " << selected.error().message << '\n';
      return 77;  // CTest counts it as skipped
    }
  }
  return RUN_ALL_TESTS();
}
