#include "match/passages/word_rules.h"

namespace zhiwen {
namespace {

constexpr double kWeightOfWords = 1.3;  // mean of the symbols of a text of words
constexpr uint32_t kSeedOfWords = 2;
constexpr double kStrongWords = 10, kWeakWords = 4;  // about six words, and two or three

}  // namespace

PassageRules FitToWords(PassageRules rules, const WeightSums& copy) {
  const auto symbols = static_cast<uint32_t>(copy.symbols());
  if (copy.Of(0, symbols) <= kWeightOfWords * symbols) return rules;
  rules.seed = kSeedOfWords;
  rules.strong_score = kStrongWords;
  rules.weak_score = kWeakWords;
  return rules;
}

}  // namespace zhiwen
