#include "fingerprint/one_permutation.h"

#include <algorithm>
#include <array>
#include <string>

#include "fingerprint/permutations.h"
#include "kernels/kernels.h"

namespace zhiwen {
namespace {

constexpr uint32_t kMaxBins = 65536;
constexpr uint32_t kEmpty = ~uint32_t{0};
constexpr size_t kBlock = 128;  // a multiple of 16, as the kernel needs

}  // namespace

Result<OnePermutationMinHash> OnePermutationMinHash::Create(uint32_t bins, uint64_t seed) {
  if (bins == 0 || bins > kMaxBins) {
    return Fail(ErrorCode::kInvalidArgument, "cannot sketch into " + std::to_string(bins) +
                                                 " bins: choose 1 to " + std::to_string(kMaxBins));
  }
  return OnePermutationMinHash(MakePermutations(bins, seed));
}

void OnePermutationMinHash::Compute(std::span<const uint64_t> shingles,
                                    std::span<uint32_t> out) const {
  std::fill(out.begin(), out.end(), kEmpty);
  if (shingles.empty()) return;
  ActiveKernels().one_permutation(shingles.data(), shingles.size(), static_cast<uint32_t>(bins()),
                                  out.data());
  FillEmptyBins(shingles, out);
}

void OnePermutationMinHash::Begin(std::span<uint32_t> out) {
  std::fill(out.begin(), out.end(), kEmpty);
}

void OnePermutationMinHash::Add(std::span<const uint64_t> shingles, std::span<uint32_t> out) const {
  ActiveKernels().one_permutation(shingles.data(), shingles.size(), static_cast<uint32_t>(bins()),
                                  out.data());
}

OnePermutationMinHash::Fill OnePermutationMinHash::BeginFill(std::span<const uint32_t> out) const {
  Fill fill;
  for (uint32_t bin = 0; bin < out.size(); ++bin) {
    if (out[bin] == kEmpty) fill.bins.push_back(bin);
  }
  const size_t padded = (fill.bins.size() + 15) / 16 * 16;  // the kernel needs a multiple of 16
  for (size_t i = 0; i < padded; ++i) {
    const uint32_t bin = fill.bins[std::min(i, fill.bins.size() - 1)];
    fill.multipliers.push_back(permutations_.multipliers[bin]);
    fill.keys.push_back(permutations_.keys[bin]);
    fill.minima.push_back(kEmpty - 1);
  }
  return fill;
}

void OnePermutationMinHash::AddTo(Fill& fill, std::span<const uint64_t> shingles) {
  ActiveKernels().minhash(shingles.data(), shingles.size(), fill.multipliers.data(),
                          fill.keys.data(), fill.minima.size(), fill.minima.data());
}

void OnePermutationMinHash::Finish(const Fill& fill, std::span<uint32_t> out) {
  for (size_t i = 0; i < fill.bins.size(); ++i) out[fill.bins[i]] = fill.minima[i];
}

void OnePermutationMinHash::FillEmptyBins(std::span<const uint64_t> shingles,
                                          std::span<uint32_t> out) const {
  std::array<uint32_t, kBlock> empty;
  for (size_t begin = 0; begin < out.size(); begin += kBlock) {
    const size_t end = std::min(begin + kBlock, out.size());
    size_t count = 0;
    for (size_t bin = begin; bin < end; ++bin) {
      empty[count] = static_cast<uint32_t>(bin);
      count += out[bin] == kEmpty;
    }
    if (count > 0) FillBins(shingles, std::span(empty).first(count), out);
  }
}

void OnePermutationMinHash::FillBins(std::span<const uint64_t> shingles,
                                     std::span<const uint32_t> empty,
                                     std::span<uint32_t> out) const {
  std::array<uint32_t, kBlock> multipliers, keys, minima;
  const size_t padded = (empty.size() + 15) / 16 * 16;
  for (size_t i = 0; i < padded; ++i) {
    const uint32_t bin = empty[std::min(i, empty.size() - 1)];
    multipliers[i] = permutations_.multipliers[bin];
    keys[i] = permutations_.keys[bin];
    minima[i] = kEmpty - 1;
  }
  ActiveKernels().minhash(shingles.data(), shingles.size(), multipliers.data(), keys.data(), padded,
                          minima.data());
  for (size_t i = 0; i < empty.size(); ++i) out[empty[i]] = minima[i];
}

}  // namespace zhiwen
