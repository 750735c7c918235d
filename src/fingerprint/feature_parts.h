#ifndef ZHIWEN_FINGERPRINT_FEATURE_PARTS_H_
#define ZHIWEN_FINGERPRINT_FEATURE_PARTS_H_

// What a text is cut into: the parts of names of schemes that say it, and what makes them.
//
//   shingle.v1(k=…,unit=symbol)         k consecutive symbols of the channel
//   shingle.v1(k=…,unit=word.v1(…))     k consecutive words, each as its symbols on the channel
//   term.v1(…)                          words that carry meaning, all or the heaviest
//   character.v1(set=gb2312)            Chinese characters
//
// In          valid UTF-8
// Guarantees  the same on every machine (docs/formats/shingles.md, terms.md)
// Threads     const: share freely

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/value_bytes.h"
#include "fingerprint/name_family.h"
#include "zhiwen/channel.h"
#include "zhiwen/terms.h"

namespace zhiwen {

// Between what is hashed together: words and terms never have it.
inline constexpr char kUnitSeparator = '\x1F';

// The distinct ones that are not empty, in order, with the separator between.
std::string JoinDistinct(std::vector<std::string> parts);

extern const NameFamily kCharacterPart, kShinglePart, kTermPart, kTfidfPart, kSentencePart,
    kWordPart;

// Of all that counts units.
inline constexpr std::string_view kUnits[] = {"symbol"};
inline constexpr const NameFamily* kUnitParts[] = {&kWordPart};
inline constexpr ParameterSpec kUnitParameter = {
    "unit", ParameterKind::kChoice, "symbol", "what is counted", 0, 0, kUnits, kUnitParts};

// Of what is made of shingles alone.
inline constexpr const NameFamily* kShingleParts[] = {&kShinglePart};
inline constexpr ParameterSpec kShingleFeature = {
    "feature", ParameterKind::kChoice, "shingle", "what the text is cut into", 0, 0,
    {},        kShingleParts};

// What stands for a word on a channel, as UTF-8: its symbols as code points, one with a hash as "#"
// and eight hex digits. On exact.v1 it is the word in NFC. Empty where it has no symbol.
class ChannelWord {
 public:
  explicit ChannelWord(Channel channel) : channel_(std::move(channel)) {}

  // The view lives until the next call with the same `scratch`.
  struct Scratch {
    std::vector<uint32_t> symbols;
    std::string utf8;
  };
  std::string_view Of(std::string_view word, Scratch& scratch) const;

 private:
  Channel channel_;
};

// A symbol or a word of a text.
struct TextUnit {
  uint64_t hash = 0;  // XXH3-64: of a symbol as a little-endian 32-bit number, of a ChannelWord
  ByteSpan source;
};

// Where the whole lines end that are worked on at once from `begin` on: kLinesAtOnce bytes of
// `utf8`, and what is left of the last line. Neither channels nor sentences look beyond a line end.
inline constexpr size_t kLinesAtOnce = size_t{64} << 10;
inline size_t EndOfLines(std::string_view utf8, size_t begin) {
  if (utf8.size() - begin <= kLinesAtOnce) return utf8.size();
  return std::min(utf8.find('\n', begin + kLinesAtOnce - 1), utf8.size() - 1) + 1;
}

// The units that a parameter `unit` names.
class UnitPart {
 public:
  UnitPart(const ParameterValue& unit, const Channel& channel, const SchemeResources& resources);

  // Calls take(unit) for each, in order; a word without symbols is left out. The symbols of
  // kLinesAtOnce, or of a line that is longer, are in memory.
  template <typename Take>
  void ForEach(std::string_view utf8, const Take& take) const {
    if (words_ != nullptr) return VisitWords(utf8, take);
    for (size_t begin = 0, end = 0; begin < utf8.size(); begin = end) {
      end = EndOfLines(utf8, begin);
      const SpannedSymbols read = Explain(utf8.substr(begin, end - begin));
      for (size_t i = 0; i < read.symbols.size(); ++i) {
        const ByteSpan& span = read.spans[i];
        take(TextUnit{HashBytes64(BytesOfValue(read.symbols[i])),
                      {span.begin + begin, span.end + begin}});
      }
    }
  }

 private:
  SpannedSymbols Explain(std::string_view utf8) const;
  void VisitWords(std::string_view utf8, const std::function<void(const TextUnit&)>& take) const;

  Channel channel_;
  ChannelWord word_;
  std::shared_ptr<const TermExtractor> words_;  // null: symbols
};

// The sentences that a part `sentence` keeps: those with enough words that are no stop words.
class SentencePart {
 public:
  SentencePart(const ResolvedName& part, const SchemeResources& resources);

  bool Keeps(std::string_view utf8, ByteSpan sentence) const;

 private:
  std::shared_ptr<const TermExtractor> terms_;
  std::shared_ptr<const StopWords> stop_words_;  // null: none
  uint64_t least_words_;
};

// The shingles of a part `shingle`. What is hashed of one are its symbols as little-endian 32-bit
// numbers; of words the XXH3-64 of each ChannelWord, little-endian. A word without symbols
// is left out.
class ShinglePart {
 public:
  ShinglePart(const ResolvedName& part, const Channel& channel, const SchemeResources& resources);

  size_t length() const { return length_; }

  // Replaces `hashes` by their XXH3-64, in order, repeats kept; none for a text under length()
  // units.
  void ComputeInto(std::string_view utf8, std::vector<uint64_t>& hashes) const;

  // Calls visit(bytes) for what is hashed of each, in order.
  template <typename Visit>
  void ForEach(std::string_view utf8, const Visit& visit) const {
    words_ == nullptr ? ForEachRun(SymbolsOf(utf8), visit) : ForEachRun(WordsOf(utf8), visit);
  }

 private:
  template <typename Unit, typename Visit>
  void ForEachRun(const std::vector<Unit>& units, const Visit& visit) const {
    for (size_t i = 0; i + length_ <= units.size(); ++i) {
      visit(BytesOfValues(std::span(units).subspan(i, length_)));
    }
  }
  std::vector<uint32_t> SymbolsOf(std::string_view utf8) const;
  std::vector<uint64_t> WordsOf(std::string_view utf8) const;

  Channel channel_;
  ChannelWord word_;
  size_t length_;
  std::shared_ptr<const TermExtractor> words_;  // null: of symbols
};

// How terms are chosen and weighted, as parameters say it.
struct TermParameters {
  bool are_characters = false;
  bool has_stop_words = true;
  const ParameterValue* df = nullptr;    // null: every idf is 1
  const ParameterValue* tags = nullptr;  // "yes" or "no"; null: no
  uint64_t least = 2;                    // code points
  uint64_t top = 0;                      // 0: all
};

// Those of a part `term` or `character`, and of the parameter `weight`, null or a word without
// `tfidf`.
TermParameters TermParametersOf(const ResolvedName& term, const ParameterValue* weight);

// Terms of a text that are one on the channel.
struct RankedTerm {
  std::string text;    // ChannelWord
  uint64_t count = 0;  // occurrences of all of them
  uint64_t score = 0;  // sum of Keyword::score
  size_t place = 0;    // among all such terms, by their first occurrences
};

// The terms of a text that carry meaning, as they are on a channel; those without symbols are left
// out.
class TermPart {
 public:
  // Fails: kConflict when the document frequencies are of other terms.
  static Result<TermPart> Create(const TermParameters& parameters, const Channel& channel,
                                 const SchemeResources& resources);

  // The heaviest first; of equal weight in order of code points.
  std::vector<RankedTerm> Rank(std::string_view utf8) const;

  // The same in the order of their first occurrences.
  std::vector<RankedTerm> RankInOrder(std::string_view utf8) const;

 private:
  explicit TermPart(const Channel& channel) : word_(channel) {}

  ChannelWord word_;
  std::shared_ptr<const TermExtractor> terms_;
  std::shared_ptr<const TermSnapshot> snapshot_;
  std::shared_ptr<const StopWords> stop_words_;
  KeywordOptions options_;
  size_t top_ = 0;  // terms at most
};

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_FEATURE_PARTS_H_
