#include "match/passages/symbol_weights.h"

#include <algorithm>

#include "base/utf8/utf8.h"

namespace zhiwen {
namespace {

// Letters and digits are written below this code point (Latin, Greek, Cyrillic, Arabic …), or in
// full width.
constexpr uint32_t kScriptsOfWords = 0x0E00;

constexpr uint32_t kUndecoded = 0xFFFD;

bool IsOfWord(uint32_t code_point) {
  return code_point < kScriptsOfWords || (code_point >= 0xFF00 && code_point <= 0xFF5E);
}

}  // namespace

std::vector<float> ComputeSymbolWeights(std::string_view text, std::span<const ByteSpan> symbols,
                                        const WordWeights& words) {
  std::vector<float> weights;
  weights.reserve(symbols.size());
  for (const ByteSpan& bytes : symbols) {
    const auto lead = static_cast<uint8_t>(text[bytes.begin.value]);
    if (lead >= 0xE3 && lead <= 0xE9) {  // most symbols of Chinese
      weights.push_back(1);
      continue;
    }
    size_t of_words = 0;
    bool is_whole = false;  // it has a character that stands for itself
    VisitCodePoints(text.substr(bytes.begin.value, bytes.size()),
                    [&](DecodedCodePoint decoded, size_t) {
                      (IsOfWord(decoded.code_point) ? ++of_words : of_words);
                      is_whole |= !IsOfWord(decoded.code_point) && decoded.code_point != kUndecoded;
                    });
    const double weight =
        is_whole ? 1 : std::min(words.most, words.character * static_cast<double>(of_words));
    weights.push_back(static_cast<float>(weight));
  }
  return weights;
}

}  // namespace zhiwen
