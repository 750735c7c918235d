#include "index/postings/granule_keys.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "base/hash.h"
#include "fingerprint/dna_code.h"

namespace zhiwen {
namespace {

constexpr size_t kQuarter = kDnaLetters.size() / 4;

// Appends the keys of a code. Each is a hash of eleven bytes: the number of the pair, to which a
// short text adds six, and the ten digits.
void AppendKeys(std::span<const uint8_t> code, bool is_short, std::vector<uint64_t>& keys) {
  const DnaDigits digits = DigitsOfDna(code, DnaRadix(code.size()));
  std::array<char, 1 + 2 * kQuarter> bytes;
  char pair = is_short ? char{kKeysOfGranule} : char{0};
  for (size_t first = 0; first < 4; ++first) {
    for (size_t second = first + 1; second < 4; ++second) {
      bytes[0] = pair++;
      for (size_t i = 0; i < kQuarter; ++i) {
        bytes[1 + i] = static_cast<char>(digits[first * kQuarter + i]);
        bytes[1 + kQuarter + i] = static_cast<char>(digits[second * kQuarter + i]);
      }
      keys.push_back(HashBytes64(std::string_view(bytes.data(), bytes.size())));
    }
  }
}

}  // namespace

std::vector<uint64_t> GranuleKeys(const Fingerprint& value) {
  std::vector<uint64_t> keys;
  if (const auto* const codes = std::get_if<CodeSequence>(&value)) {
    keys.reserve(codes->size() * kKeysOfGranule);
    for (size_t i = 0; i < codes->size(); ++i) AppendKeys((*codes)[i], false, keys);
  } else if (const auto* const code = std::get_if<FingerprintBytes>(&value)) {
    AppendKeys(*code, true, keys);
  }
  std::ranges::sort(keys);
  const auto repeats = std::ranges::unique(keys);
  keys.erase(repeats.begin(), repeats.end());
  return keys;
}

}  // namespace zhiwen
