#include "text/reading/syllable.h"

#include <algorithm>
#include <array>

namespace zhiwen {
namespace {

constexpr std::array<std::string_view, kInitialCount> kInitialNames = {
    "b", "p", "m",  "f",  "d",  "t", "n", "l", "g", "k", "h", "j",
    "q", "x", "zh", "ch", "sh", "r", "z", "c", "s", "y", "w", ""};
constexpr std::array<std::string_view, kFinalCount> kFinalNames = {
    "a",  "o",  "e",  "i",   "u",   "ü",   "ai",   "ei",  "ui",   "ao",  "ou",  "iu",
    "ie", "ue", "er", "an",  "en",  "in",  "un",   "ün",  "ang",  "eng", "ing", "ong",
    "ia", "ua", "uo", "uai", "iao", "ian", "iang", "uan", "uang", "iong"};

// Returns the longest initial that the spelling begins with: "zh", not "z".
uint32_t LongestInitial(std::string_view spelling) {
  uint32_t longest = kInitialCount;
  for (uint32_t initial = 1; initial < kInitialCount; ++initial) {
    const bool fits = spelling.starts_with(InitialName(initial));
    if (fits && InitialName(initial).size() > InitialName(longest).size()) longest = initial;
  }
  return longest;
}

}  // namespace

std::string_view InitialName(uint32_t initial) { return kInitialNames[initial - 1]; }
std::string_view FinalName(uint32_t final) { return kFinalNames[final - 1]; }

std::string SyllableName(uint32_t syllable) {
  const std::string_view initial = InitialName(InitialOf(syllable));
  const std::string_view final = FinalName(FinalOf(syllable));
  const bool has_dots = final == "ue" && (initial == "n" || initial == "l");
  return std::string(initial).append(has_dots ? "üe" : final);
}

char FirstLetter(uint32_t syllable) {
  const uint32_t initial = InitialOf(syllable);
  return initial < kInitialCount ? InitialName(initial)[0] : FinalName(FinalOf(syllable))[0];
}

std::optional<uint32_t> ParseSyllable(std::string_view spelling) {
  const uint32_t initial = LongestInitial(spelling);
  std::string_view rest = spelling.substr(InitialName(initial).size());
  if (rest == "üe") rest = "ue";
  const auto final = std::ranges::find(kFinalNames, rest);
  if (final == kFinalNames.end()) return std::nullopt;
  return initial << 6 | static_cast<uint32_t>(final - kFinalNames.begin() + 1);
}

}  // namespace zhiwen
