#ifndef ZHIWEN_SIMD_H_
#define ZHIWEN_SIMD_H_

// Which instruction set the hot loops use. Every level gives the same bits; scalar is the
// definition.

#include <string_view>
#include <vector>

#include "zhiwen/result.h"

namespace zhiwen {

enum class SimdLevel { kScalar, kAvx2, kAvx512 };

// "scalar", "avx2", "avx512".
std::string_view SimdLevelName(SimdLevel level);

// Fails: kInvalidArgument, listing the names.
Result<SimdLevel> ParseSimdLevel(std::string_view name);

// The levels this processor runs, scalar first.
std::vector<SimdLevel> SupportedSimdLevels();

// Makes every later call of a kernel use `level`. Call it before work starts: threads that are
// inside a kernel do not notice. Without a call the best supported level is used. Fails:
// kInvalidArgument when the processor lacks it.
Status SelectKernels(SimdLevel level);

// The level in use.
SimdLevel SelectedSimdLevel();

}  // namespace zhiwen

#endif  // ZHIWEN_SIMD_H_
