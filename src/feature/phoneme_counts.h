#ifndef ZHIWEN_FEATURE_PHONEME_COUNTS_H_
#define ZHIWEN_FEATURE_PHONEME_COUNTS_H_

// Counts how often each initial, final and tone occurs in a text: the three vectors of 金哲凡 et
// al. 2017, 基于音位的网络盗版文本查重方法.
//
// In          symbols of the channel phonemes: Han characters by their first reading; other
//             characters and 嗯 are left out
// Guarantees  the counts of a text are the sums of the counts of its parts
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

  // Returns the number of characters counted.
  uint64_t characters() const;

  // Returns all counts in one array: initials, finals, tones. Of() converts such an array back.
  std::array<uint64_t, kPhonemeCount> InOrder() const;
  static PhonemeCounts Of(std::span<const uint64_t, kPhonemeCount> in_order);

  friend bool operator==(const PhonemeCounts&, const PhonemeCounts&) = default;
};

// Counts the phonemes of a text. `channel` must be a phonemes channel.
PhonemeCounts CountPhonemes(const Channel& channel, std::string_view utf8);

// Returns how often each phoneme occurs in Chinese, by the frequencies of the dictionary's words.
// It is the reference where a user gives none. Fails: kUnreadable, naming the section.
Result<PhonemeCounts> PhonemesOfChinese(const Language& language);

}  // namespace zhiwen

#endif  // ZHIWEN_FEATURE_PHONEME_COUNTS_H_
