#include "text/reading/readings.h"

#include <algorithm>
#include <bit>

#include "text/reading/syllable.h"

namespace zhiwen {
namespace {

// By their first two characters; of one pair, the longest first.
bool ComesBefore(std::span<const uint16_t> a, std::span<const uint16_t> b) {
  if (a[0] != b[0]) return a[0] < b[0];
  if (a[1] != b[1]) return a[1] < b[1];
  if (a.size() != b.size()) return a.size() > b.size();
  return std::ranges::lexicographical_compare(a, b);
}

}  // namespace

Result<Readings> Readings::Open(const SectionFile& sections) {
  Readings readings;
  ZHIWEN_ASSIGN_OR_RETURN(readings.plane0_, sections.Values<uint16_t>("reading.plane0"));
  ZHIWEN_ASSIGN_OR_RETURN(readings.beyond_, sections.Values<uint32_t>("reading.beyond"));
  ZHIWEN_ASSIGN_OR_RETURN(readings.beyond_phonemes_,
                          sections.Values<uint16_t>("reading.beyond_phonemes"));
  const auto is_reading = [](uint16_t phonemes) { return phonemes == 0 || IsPhonemes(phonemes); };
  if (readings.plane0_.size() != 0x10000 || !std::ranges::all_of(readings.plane0_, is_reading)) {
    return sections.Damaged("reading.plane0", "not one reading for each code point");
  }
  if (readings.beyond_phonemes_.size() != readings.beyond_.size() ||
      !std::ranges::all_of(readings.beyond_phonemes_, is_reading)) {
    return sections.Damaged("reading.beyond_phonemes", "not one reading for each code point");
  }
  const auto disorder = std::ranges::adjacent_find(readings.beyond_, std::greater_equal<>());
  if (disorder != readings.beyond_.end()) {
    return sections.Damaged("reading.beyond", "the code points do not ascend");
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

Result<PhraseReadings> PhraseReadings::Open(const SectionFile& sections) {
  PhraseReadings phrases;
  ZHIWEN_ASSIGN_OR_RETURN(phrases.starts_, sections.Values<uint32_t>("reading.phrase_starts"));
  ZHIWEN_ASSIGN_OR_RETURN(phrases.characters_, sections.Values<uint16_t>("reading.phrases"));
  ZHIWEN_ASSIGN_OR_RETURN(phrases.syllables_,
                          sections.Values<uint16_t>("reading.phrase_syllables"));
  ZHIWEN_RETURN_IF_ERROR(phrases.Check(sections));
  phrases.IndexPairs();
  return phrases;
}

Status PhraseReadings::Check(const SectionFile& sections) const {
  const auto damaged = [&](std::string_view what) {
    return sections.Damaged("reading.phrase_starts", what);
  };
  if (starts_.empty() || starts_.front() != 0 || starts_.back() != characters_.size() ||
      syllables_.size() != characters_.size()) {
    return damaged("another number of characters");
  }
  for (size_t i = 0; i < size(); ++i) {
    if (starts_[i + 1] < starts_[i] + 2 || starts_[i + 1] > starts_[i] + kMaxLength ||
        starts_[i + 1] > characters_.size()) {
      return damaged("a phrase of another length");
    }
  }
  for (size_t i = 1; i < size(); ++i) {
    if (!ComesBefore(CharactersOf(i - 1), CharactersOf(i))) return damaged("phrases out of order");
  }
  if (std::ranges::find(characters_, 0) != characters_.end()) return damaged("no character");
  if (!std::ranges::all_of(syllables_, IsSyllable)) {
    return sections.Damaged("reading.phrase_syllables", "no syllable");
  }
  return {};
}

void PhraseReadings::IndexPairs() {
  slots_.resize(std::bit_ceil(2 * size() + 1));
  slot_mask_ = slots_.size() - 1;
  filter_.resize(kFilterBits / 64);
  for (size_t phrase = 0; phrase < size(); ++phrase) {
    const uint32_t pair = PairOf(phrase);
    Slot& slot = slots_[FindSlot(pair)];
    if (slot.pair == 0) slot = {pair, static_cast<uint32_t>(phrase)};
    const uint32_t bit = HashOf(pair) % kFilterBits;
    filter_[bit / 64] |= uint64_t{1} << bit % 64;
  }
}

// Where a pair is, or could be.
size_t PhraseReadings::FindSlot(uint32_t pair) const {
  size_t at = HashOf(pair) & slot_mask_;
  while (slots_[at].pair != 0 && slots_[at].pair != pair) at = (at + 1) & slot_mask_;
  return at;
}

std::span<const uint16_t> PhraseReadings::LongestOfPair(uint32_t pair,
                                                        std::span<const uint32_t> folded) const {
  const Slot slot = slots_[FindSlot(pair)];
  if (slot.pair == 0) return {};
  for (size_t phrase = slot.phrase; phrase < size() && PairOf(phrase) == slot.pair; ++phrase) {
    const std::span<const uint16_t> characters = CharactersOf(phrase);
    if (characters.size() <= folded.size() &&
        std::ranges::equal(characters, folded.first(characters.size()))) {
      return syllables_.subspan(starts_[phrase], characters.size());
    }
  }
  return {};
}

}  // namespace zhiwen
