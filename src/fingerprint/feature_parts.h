#ifndef ZHIWEN_FINGERPRINT_FEATURE_PARTS_H_
#define ZHIWEN_FINGERPRINT_FEATURE_PARTS_H_

// Splits a text into features: the parts of scheme names that say how, and the code that does it.
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

// Separates strings that are hashed together; words and terms never contain it.
inline constexpr char kUnitSeparator = '\x1F';

// Joins the distinct strings that are not empty, in ascending order, with the separator between
// them.
std::string JoinDistinct(std::vector<std::string> parts);

extern const NameFamily kCharacterPart, kShinglePart, kTermPart, kTfidfPart, kSentencePart,
    kWordPart;

// The unit parameter, shared by all parts that count units.
inline constexpr std::string_view kUnits[] = {"symbol"};
inline constexpr const NameFamily* kUnitParts[] = {&kWordPart};
inline constexpr ParameterSpec kUnitParameter = {
    "unit", ParameterKind::kChoice, "symbol", "what is counted", 0, 0, kUnits, kUnitParts};

// The feature parameter of schemes that take shingles only.
inline constexpr const NameFamily* kShingleParts[] = {&kShinglePart};
inline constexpr ParameterSpec kShingleFeature = {
    "feature", ParameterKind::kChoice, "shingle", "what the text is cut into", 0, 0,
    {},        kShingleParts};

// Represents a word on a channel as UTF-8: its symbols as code points, where a hashed symbol
// becomes "#" and eight hex digits. On exact.v1 this is the word in NFC. The result is empty when
// the word has no symbol on the channel.
class ChannelWord {
 public:
  explicit ChannelWord(Channel channel) : channel_(std::move(channel)) {}

  // The view is valid until the next call with the same `scratch`.
  struct Scratch {
    std::vector<uint32_t> symbols;
    std::string utf8;
  };
  std::string_view Of(std::string_view word, Scratch& scratch) const;

 private:
  Channel channel_;
};

// One symbol or one word of a text.
struct TextUnit {
  // XXH3-64 of a symbol as a little-endian 32-bit number, or of a ChannelWord.
  uint64_t hash = 0;
  ByteSpan source;
};

// Returns the end of the whole lines that are processed at once from `begin` on: kLinesAtOnce bytes
// of `utf8` and the rest of the last line. Neither channels nor sentences depend on text beyond a
// line end.
inline constexpr size_t kLinesAtOnce = size_t{64} << 10;
inline size_t EndOfLines(std::string_view utf8, size_t begin) {
  if (utf8.size() - begin <= kLinesAtOnce) return utf8.size();
  return std::min(utf8.find('\n', begin + kLinesAtOnce - 1), utf8.size() - 1) + 1;
}

// Reads the units that a parameter `unit` names.
class UnitPart {
 public:
  UnitPart(const ParameterValue& unit, const Channel& channel, const SchemeResources& resources);

  // Calls take(unit) for each unit in order, without words that have no symbols. At most the
  // symbols of kLinesAtOnce bytes, or of one longer line, are in memory.
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
  std::shared_ptr<const TermExtractor> words_;  // null when units are symbols
};

// Decides which sentences a part `sentence` keeps: those with enough words that are not stop words.
class SentencePart {
 public:
  SentencePart(const ResolvedName& part, const SchemeResources& resources);

  bool Keeps(std::string_view utf8, ByteSpan sentence) const;

 private:
  std::shared_ptr<const TermExtractor> terms_;
  std::shared_ptr<const StopWords> stop_words_;  // null when there are none
  uint64_t least_words_;
};

// Computes the shingles of a part `shingle`. The hashed bytes of a shingle are its symbols as
// little-endian 32-bit numbers; for words, the XXH3-64 of each ChannelWord, little-endian. Words
// without symbols are left out.
class ShinglePart {
 public:
  ShinglePart(const ResolvedName& part, const Channel& channel, const SchemeResources& resources);

  size_t length() const { return length_; }

  // Replaces `hashes` by the XXH3-64 of the shingles, in order, repeats kept. A text of fewer than
  // length() units has none.
  void ComputeInto(std::string_view utf8, std::vector<uint64_t>& hashes) const;

  // Calls visit(bytes) with the hashed bytes of each shingle, in order.
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
  std::shared_ptr<const TermExtractor> words_;  // null when units are symbols
};

// The parameters that say how terms are chosen and weighted.
struct TermParameters {
  bool are_characters = false;
  bool has_stop_words = true;
  const ParameterValue* df = nullptr;    // null: every idf is 1
  const ParameterValue* tags = nullptr;  // "yes" or "no"; null: no
  uint64_t least = 2;                    // in code points
  uint64_t top = 0;                      // 0: all
};

// Returns the parameters of a part `term` or `character`, and of the parameter `weight`, which is
// null or a word other than `tfidf`.
TermParameters TermParametersOf(const ResolvedName& term, const ParameterValue* weight);

// The terms of a text that are equal on the channel.
struct RankedTerm {
  std::string text;    // as ChannelWord gives it
  uint64_t count = 0;  // occurrences of all these terms
  uint64_t score = 0;  // sum of Keyword::score
  size_t place = 0;    // rank by first occurrence
};

// Finds the terms of a text that carry meaning, as they are on a channel. Terms without symbols are
// left out.
class TermPart {
 public:
  // Fails: kConflict when the document frequencies were counted with other terms.
  static Result<TermPart> Create(const TermParameters& parameters, const Channel& channel,
                                 const SchemeResources& resources);

  // Returns the terms by descending weight; terms of equal weight are in order of code points.
  std::vector<RankedTerm> Rank(std::string_view utf8) const;

  // Returns the same terms in the order of their first occurrences.
  std::vector<RankedTerm> RankInOrder(std::string_view utf8) const;

 private:
  explicit TermPart(const Channel& channel) : word_(channel) {}

  ChannelWord word_;
  std::shared_ptr<const TermExtractor> terms_;
  std::shared_ptr<const TermSnapshot> snapshot_;
  std::shared_ptr<const StopWords> stop_words_;
  KeywordOptions options_;
  size_t top_ = 0;  // maximum number of terms
};

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_FEATURE_PARTS_H_
