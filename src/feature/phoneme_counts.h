#ifndef ZHIWEN_FEATURE_PHONEME_COUNTS_H_
#define ZHIWEN_FEATURE_PHONEME_COUNTS_H_

// How often each initial, final and tone is in a text: the three vectors of 金哲凡 et al. 2017,
// 基于音位的网络盗版文本查重方法.
//
// In          symbols of the channel phonemes: Han characters by their first reading, others and 嗯
//             left out
// Guarantees  sums of parts are the counts of the whole
// Cost        three additions a character

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "text/reading/syllable.h"
#include "zhiwen/channel.h"
#include "zhiwen/language.h"

namespace zhiwen {

struct PhonemeCounts {
  std::array<uint64_t, kInitialCount> initials = {};  // in the order of text/reading/syllable.h
  std::array<uint64_t, kFinalCount> finals = {};
  std::array<uint64_t, kToneCount> tones = {};

  void Add(std::span<const uint32_t> phonemes);
  void Add(const PhonemeCounts& other);

  // How many were counted.
  uint64_t characters() const;

  // All of them, initials, finals, tones, and the way back.
  std::array<uint64_t, kPhonemeCount> InOrder() const;
  static PhonemeCounts Of(std::span<const uint64_t, kPhonemeCount> in_order);

  friend bool operator==(const PhonemeCounts&, const PhonemeCounts&) = default;
};

// Those of a text. `channel` is one of phonemes.
PhonemeCounts CountPhonemes(const Channel& channel, std::string_view utf8);

// What texts are compared with that have none of their own: how often each occurs in Chinese, by
// the frequencies of the dictionary's words. Fails: kUnreadable, naming the section.
Result<PhonemeCounts> PhonemesOfChinese(const Language& language);

}  // namespace zhiwen

#endif  // ZHIWEN_FEATURE_PHONEME_COUNTS_H_
