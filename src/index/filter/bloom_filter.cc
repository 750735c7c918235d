#include "index/filter/bloom_filter.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/value_bytes.h"
#include "kernels/kernels.h"

namespace zhiwen {
namespace {

constexpr size_t kWords = 8;  // words in a block
constexpr size_t kKeysAtOnce = 1024;
constexpr uint64_t kBlocksToCount = uint64_t{1} << 20;

// Calls `visit(begin, hashes)` for the mixed keys, some at a time.
template <typename Visit>
void ForEachMixed(std::span<const uint64_t> keys, const Visit& visit) {
  std::array<uint64_t, kKeysAtOnce> hashes;
  for (size_t begin = 0; begin < keys.size(); begin += kKeysAtOnce) {
    const auto some = keys.subspan(begin, std::min(kKeysAtOnce, keys.size() - begin));
    std::ranges::transform(some, hashes.begin(), MixKey64);
    visit(begin, std::span<const uint64_t>(hashes.data(), some.size()));
  }
}

}  // namespace

double BloomFalsePositives(double keys_per_block) {
  double probability = std::exp(-keys_per_block);  // probability of j keys in a block
  double sum = 0;
  const double end = keys_per_block + 40 * std::sqrt(keys_per_block) + 60;
  for (double j = 0; j < end;) {
    sum += probability * std::pow(1 - std::pow(31.0 / 32, j), 8);
    j += 1;
    probability *= keys_per_block / j;
  }
  return sum;
}

double BloomBlocks(uint64_t keys, double false_positives) {
  double least = 0, most = 512;  // keys of a block: all pass
  for (int i = 0; i < 60; ++i) {
    const double middle = (least + most) / 2;
    (BloomFalsePositives(middle) <= false_positives ? least : most) = middle;
  }
  return std::ceil(static_cast<double>(keys) / least);
}

BloomFilter::BloomFilter(uint64_t blocks) {
  words_.resize(blocks * kWords);
  std::ranges::fill(words_, 0);
}

BloomFilter::BloomFilter(std::string_view table, uint64_t keys) : keys_(keys) {
  words_.resize(table.size() / sizeof(uint32_t));
  std::memcpy(words_.data(), table.data(), table.size());
}

std::string_view BloomFilter::bytes() const { return BytesOfValues(words_); }

double BloomFilter::false_positives() const {
  const uint64_t stride = blocks() / kBlocksToCount + 1;
  double sum = 0;
  uint64_t counted = 0;
  for (uint64_t block = 0; block < blocks(); block += stride, ++counted) {
    double share = 1;
    for (size_t i = 0; i < kWords; ++i) {
      share *= static_cast<double>(std::popcount(words_[block * kWords + i])) / 32;
    }
    sum += share;
  }
  return sum / static_cast<double>(counted);
}

Status BloomFilter::Add(std::span<const uint64_t> keys) {
  const Kernels& kernels = ActiveKernels();
  ForEachMixed(keys, [&](size_t /*begin*/, std::span<const uint64_t> hashes) {
    keys_ += kernels.fill_blocks(words_.data(), blocks(), hashes.data(), hashes.size());
  });
  return {};
}

size_t BloomFilter::Select(std::span<const uint64_t> keys, uint32_t* places) const {
  const Kernels& kernels = ActiveKernels();
  size_t found = 0;
  ForEachMixed(keys, [&](size_t begin, std::span<const uint64_t> hashes) {
    const size_t more = kernels.select_blocks(words_.data(), blocks(), hashes.data(), hashes.size(),
                                              places + found);
    for (size_t i = found; i < found + more; ++i) places[i] += static_cast<uint32_t>(begin);
    found += more;
  });
  return found;
}

}  // namespace zhiwen
