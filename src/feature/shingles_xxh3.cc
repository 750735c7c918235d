#include "feature/shingles_xxh3.h"

#include <bit>

#include "base/hash.h"

namespace zhiwen {

static_assert(std::endian::native == std::endian::little, "symbols are hashed as they lie");

void ComputeShinglesXxh3(std::span<const uint32_t> symbols, size_t length,
                         std::vector<uint64_t>& hashes) {
  hashes.clear();
  if (symbols.size() < length) return;
  hashes.resize(symbols.size() - length + 1);
  for (size_t i = 0; i < hashes.size(); ++i) {
    const char* bytes = reinterpret_cast<const char*>(symbols.data() + i);
    hashes[i] = HashBytes64({bytes, length * sizeof(uint32_t)});
  }
}

}  // namespace zhiwen
