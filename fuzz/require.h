#ifndef ZHIWEN_FUZZ_REQUIRE_H_
#define ZHIWEN_FUZZ_REQUIRE_H_

// What must hold for any input: where it does not, the program ends, and libFuzzer keeps the input.

#include <cstdlib>

namespace zhiwen {

inline void Require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace zhiwen

#endif  // ZHIWEN_FUZZ_REQUIRE_H_
