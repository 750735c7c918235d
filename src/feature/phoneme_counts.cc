#include "feature/phoneme_counts.h"

#include <algorithm>
#include <numeric>

#include "text/channel_view.h"
#include "text/reading/readings.h"

namespace zhiwen {
namespace {

template <size_t kSize>
void AddEach(std::array<uint64_t, kSize>& to, const std::array<uint64_t, kSize>& from) {
  for (size_t i = 0; i < kSize; ++i) to[i] += from[i];
}

}  // namespace

void PhonemeCounts::Add(std::span<const uint32_t> phonemes) {
  for (const uint32_t symbol : phonemes) {
    const uint32_t syllable = SyllableOf(symbol);
    ++initials[InitialOf(syllable) - 1];
    ++finals[FinalOf(syllable) - 1];
    ++tones[ToneOf(symbol) - 1];
  }
}

void PhonemeCounts::Add(const PhonemeCounts& other) {
  AddEach(initials, other.initials);
  AddEach(finals, other.finals);
  AddEach(tones, other.tones);
}

uint64_t PhonemeCounts::characters() const {
  return std::accumulate(tones.begin(), tones.end(), uint64_t{0});
}

std::array<uint64_t, kPhonemeCount> PhonemeCounts::InOrder() const {
  std::array<uint64_t, kPhonemeCount> all = {};
  auto at = std::ranges::copy(initials, all.begin()).out;
  at = std::ranges::copy(finals, at).out;
  std::ranges::copy(tones, at);
  return all;
}

PhonemeCounts PhonemeCounts::Of(std::span<const uint64_t, kPhonemeCount> in_order) {
  PhonemeCounts counts;
  std::ranges::copy(in_order.first<kInitialCount>(), counts.initials.begin());
  std::ranges::copy(in_order.subspan<kInitialCount, kFinalCount>(), counts.finals.begin());
  std::ranges::copy(in_order.last<kToneCount>(), counts.tones.begin());
  return counts;
}

PhonemeCounts CountPhonemes(const Channel& channel, std::string_view utf8) {
  PhonemeCounts counts;
  channel.view().Visit(utf8, [&](std::span<const uint32_t> phonemes) { counts.Add(phonemes); });
  return counts;
}

Result<PhonemeCounts> PhonemesOfChinese(const Language& language) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto numbers, OpenPhonemeFrequencies(language.sections()));
  return PhonemeCounts::Of(numbers.first<kPhonemeCount>());
}

}  // namespace zhiwen
