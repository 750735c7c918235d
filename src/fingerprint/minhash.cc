#include "fingerprint/minhash.h"

#include <algorithm>
#include <string>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

constexpr uint32_t kMaxPermutations = 4096;
constexpr uint32_t kLanes = 16;  // the kernel needs a multiple of this

}  // namespace

Result<MinHash> MinHash::Create(const MinHashOptions& options) {
  const uint32_t permutations = options.permutations;
  if (permutations == 0 || permutations > kMaxPermutations || permutations % kLanes != 0) {
    return Fail(ErrorCode::kInvalidArgument,
                "cannot make a MinHash of " + std::to_string(permutations) +
                    " permutations: choose a multiple of " + std::to_string(kLanes) + " up to " +
                    std::to_string(kMaxPermutations));
  }
  return MinHash(MakePermutations(permutations, options.seed));
}

void MinHash::Compute(std::span<const uint64_t> shingles, std::span<uint32_t> out) const {
  std::fill(out.begin(), out.end(), shingles.empty() ? ~uint32_t{0} : ~uint32_t{0} - 1);
  ActiveKernels().minhash(shingles.data(), shingles.size(), permutations_.multipliers.data(),
                          permutations_.keys.data(), permutations(), out.data());
}

}  // namespace zhiwen
