#include "fingerprint/feature_hash.h"

#include <algorithm>
#include <array>

#include "base/string_hash.h"

namespace zhiwen {
namespace {

__extension__ using Word128 = unsigned __int128;

struct Row {
  std::string_view name;
  FeatureHash of_32, of_64, of_128;
};

template <typename Word, Word (*Hash)(std::string_view)>
Hash128 Widen(std::string_view bytes) {
  const Word hash = Hash(bytes);
  if constexpr (sizeof(Word) > sizeof(uint64_t)) {
    return {static_cast<uint64_t>(hash >> 64), static_cast<uint64_t>(hash)};
  } else {
    return {0, hash};
  }
}

Hash128 Xxh3Low32(std::string_view bytes) { return {0, static_cast<uint32_t>(HashBytes64(bytes))}; }
Hash128 Xxh3Of64(std::string_view bytes) { return {0, HashBytes64(bytes)}; }
Hash128 Xxh3Of128(std::string_view bytes) { return HashBytes128(bytes); }

constexpr std::array<Row, 6> kRows = {{
    {"xxh3", Xxh3Low32, Xxh3Of64, Xxh3Of128},
    {"elf", Widen<uint32_t, ElfHash>, Widen<uint64_t, ElfHash>, Widen<Word128, ElfHash>},
    {"js", Widen<uint32_t, JsHash>, Widen<uint64_t, JsHash>, Widen<Word128, JsHash>},
    {"pjw", Widen<uint32_t, PjwHash>, Widen<uint64_t, PjwHash>, Widen<Word128, PjwHash>},
    {"rs", Widen<uint32_t, RsHash>, Widen<uint64_t, RsHash>, Widen<Word128, RsHash>},
    {"sdbm", Widen<uint32_t, SdbmHash>, Widen<uint64_t, SdbmHash>, Widen<Word128, SdbmHash>},
}};

}  // namespace

FeatureHash FindFeatureHash(std::string_view name, uint32_t bits) {
  const Row& row = *std::ranges::find(kRows, name, &Row::name);
  return bits == 32 ? row.of_32 : bits == 64 ? row.of_64 : row.of_128;
}

}  // namespace zhiwen
