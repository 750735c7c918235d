#include "feature/shingles_xxh3.h"

#include <array>
#include <bit>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace zhiwen {
namespace {

static_assert(std::endian::native == std::endian::little, "symbols are hashed as they lie");

constexpr size_t kMostInlined = 16;

// Of a length that the compiler knows a hash is some instructions.
template <size_t kLength>
void HashRuns(std::span<const uint32_t> symbols, std::span<uint64_t> hashes) {
  for (size_t i = 0; i < hashes.size(); ++i) {
    hashes[i] = XXH3_64bits(symbols.data() + i, kLength * sizeof(uint32_t));
  }
}

template <size_t... kLengths>
constexpr auto HashersOf(std::index_sequence<kLengths...>) {
  return std::array{HashRuns<kLengths + 1>...};
}

}  // namespace

void ComputeShinglesXxh3(std::span<const uint32_t> symbols, size_t length,
                         std::vector<uint64_t>& hashes) {
  static constexpr auto kHashers = HashersOf(std::make_index_sequence<kMostInlined>());
  hashes.clear();
  if (symbols.size() < length) return;
  hashes.resize(symbols.size() - length + 1);
  if (length <= kMostInlined) return kHashers[length - 1](symbols, hashes);
  for (size_t i = 0; i < hashes.size(); ++i) {
    hashes[i] = XXH3_64bits(symbols.data() + i, length * sizeof(uint32_t));
  }
}

}  // namespace zhiwen
