#include "text/reading/readings.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "text/reading/syllable.h"

namespace zhiwen {
namespace {

constexpr uint32_t kAsciiEnd = 0x80, kPlane0End = 0x10000, kCodePointsEnd = 0x110000;

bool IsReading(uint16_t phonemes) { return phonemes == 0 || IsPhonemes(phonemes); }

// Returns the sum, or nothing when it is 0 or more than kMostPhonemes.
std::optional<uint64_t> SumOf(std::span<const uint64_t> numbers) {
  uint64_t sum = 0;
  for (const uint64_t number : numbers) {
    if (number > kMostPhonemes - sum) return std::nullopt;
    sum += number;
  }
  return sum == 0 ? std::nullopt : std::optional(sum);
}

}  // namespace

Result<Readings> Readings::Open(const SectionFile& sections) {
  Readings readings;
  ZHIWEN_ASSIGN_OR_RETURN(readings.plane0_, sections.Values<uint16_t>("reading.plane0"));
  ZHIWEN_ASSIGN_OR_RETURN(readings.beyond_, sections.Values<uint32_t>("reading.beyond"));
  ZHIWEN_ASSIGN_OR_RETURN(readings.beyond_phonemes_,
                          sections.Values<uint16_t>("reading.beyond_phonemes"));
  if (readings.plane0_.size() != kPlane0End || !std::ranges::all_of(readings.plane0_, IsReading)) {
    return sections.Damaged("reading.plane0", "not one reading for each code point");
  }
  // Letters form runs that may spell syllables, so no single letter may have a reading.
  const auto reads_nothing = [](uint16_t phonemes) { return phonemes == 0; };
  if (!std::ranges::all_of(readings.plane0_.first(kAsciiEnd), reads_nothing)) {
    return sections.Damaged("reading.plane0", "a reading of an ASCII character");
  }
  if (readings.beyond_phonemes_.size() != readings.beyond_.size() ||
      !std::ranges::all_of(readings.beyond_phonemes_, IsReading)) {
    return sections.Damaged("reading.beyond_phonemes", "not one reading for each code point");
  }
  const std::span<const uint32_t> beyond = readings.beyond_;
  const bool ascends = std::ranges::adjacent_find(beyond, std::greater_equal<>()) == beyond.end();
  if (!ascends ||
      (!beyond.empty() && (beyond.front() < kPlane0End || beyond.back() >= kCodePointsEnd))) {
    return sections.Damaged("reading.beyond", "not ascending code points from U+10000 on");
  }
  return readings;
}

uint32_t Readings::PhonemesBeyond(uint32_t folded) const {
  const auto at = std::ranges::lower_bound(beyond_, folded);
  if (at == beyond_.end() || *at != folded) return 0;
  return beyond_phonemes_[static_cast<size_t>(at - beyond_.begin())];
}

std::vector<uint32_t> Readings::Syllables() const {
  std::vector<bool> is_there(SyllableOf(kPhonemesEnd) + 1);
  for (const uint16_t phonemes : plane0_) is_there[SyllableOf(phonemes)] = true;
  for (const uint16_t phonemes : beyond_phonemes_) is_there[SyllableOf(phonemes)] = true;
  std::vector<uint32_t> syllables;
  for (uint32_t syllable = 1; syllable < is_there.size(); ++syllable) {
    if (is_there[syllable]) syllables.push_back(syllable);
  }
  return syllables;
}

Result<PhraseTable> OpenPhraseReadings(const SectionFile& sections) {
  constexpr std::string_view kSection = "reading.phrases";
  ZHIWEN_ASSIGN_OR_RETURN(PhraseTable phrases, OpenPhraseTable(sections, kSection));
  // Keys must be characters: a phrase of spelled units or gaps would depend on where gaps are.
  const auto is_character = [](uint32_t symbol) {
    return symbol >= kAsciiEnd && symbol < kCodePointsEnd;
  };
  bool is_read = true;
  phrases.ForEach([&](std::span<const uint32_t> phrase, std::span<const uint32_t> syllables) {
    is_read = is_read && phrase.size() == syllables.size() &&
              std::ranges::all_of(phrase, is_character) &&
              std::ranges::all_of(syllables, IsSyllable);
  });
  if (!is_read) return sections.Damaged(kSection, "not a syllable for each character");
  return phrases;
}

bool ArePhonemeCounts(std::span<const uint64_t> numbers) {
  if (numbers.size() != kPhonemeCount) return false;
  const auto sum = SumOf(numbers.first(kInitialCount));
  return sum && SumOf(numbers.subspan(kInitialCount, kFinalCount)) == sum &&
         SumOf(numbers.last(kToneCount)) == sum;
}

Result<std::span<const uint64_t>> OpenPhonemeFrequencies(const SectionFile& sections) {
  constexpr std::string_view kSection = "reading.frequencies";
  ZHIWEN_ASSIGN_OR_RETURN(const auto numbers, sections.Values<uint64_t>(kSection));
  if (ArePhonemeCounts(numbers)) return numbers;
  return sections.Damaged(kSection, "not as many initials, finals and tones");
}

}  // namespace zhiwen
