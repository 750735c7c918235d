#ifndef ZHIWEN_COMPARE_H_
#define ZHIWEN_COMPARE_H_

// Comparing two texts: how alike they are in both directions, and the runs they share.
//
// In          two UTF-8 texts, a channel, the shortest run to report
// Out         Comparison: resemblance, containments, shared runs with their bytes in both texts
// Guarantees  every symbol of a in a run of at least `min_run` symbols shared by both is covered by
//             a reported run, or lies in a rest shorter than that beside a longer one; runs do not
//             overlap in a (match/shared_runs.h)
// Cost        linear in the lengths, whatever repeats
// Threads     free functions
// Fails       kUnreadable: a text is not valid UTF-8, naming the text and the byte

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/channel.h"
#include "zhiwen/offsets.h"
#include "zhiwen/passages.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct CompareOptions {
  Channel channel = FoldedChannel();
  uint32_t min_run = 8;              // symbols, at least 1
  std::string a_name = "the first";  // in messages of errors
  std::string b_name = "the second";
};

// a[a_bytes] and b[b_bytes] are the same symbols on the channel.
struct SharedRun {
  ByteSpan a_bytes;
  ByteSpan b_bytes;
  SymbolSpan a_symbols;
  SymbolSpan b_symbols;
  // In the bytes of the documents that the texts were extracted from (zhiwen/source_places.h).
  std::optional<ByteSpan> a_source = {}, b_source = {};
};

// Texts under one shingle that are equal on the exact channel and not empty have resemblance and
// containments 1, all other texts under one shingle 0: the rule of dedup.
struct Comparison {
  bool equal_bytes = false;
  bool equal_exact = false;     // on the exact channel
  bool equal_channel = false;   // on the channel compared, where there is a symbol
  double resemblance = 0;       // |A ∩ B| / |A ∪ B| over distinct shingles
  double containment_of_a = 0;  // |A ∩ B| / |A|
  double containment_of_b = 0;
  uint64_t a_symbols = 0, b_symbols = 0;
  uint64_t a_shingles = 0, b_shingles = 0, shared_shingles = 0;  // distinct
  uint64_t a_covered = 0, b_covered = 0;                         // symbols inside shared runs
  // Symbols that both have in a row, whatever min_run is; a passage with edits is longer.
  uint64_t longest_run = 0;
  DisguiseCounts a_disguise, b_disguise;
  std::vector<SharedRun> runs;  // ascending in a
};

// Why passages were not looked for on a channel.
enum class NotSearched : uint8_t {
  kNotAsked,        // another channel was chosen
  kNoLanguageData,  // which the channel needs
  kNotNeeded,       // the first channel has all
};

// "not_asked".
std::string_view NotSearchedName(NotSearched reason);

struct UnsearchedChannel {
  std::string channel;  // its canonical name, or the short one of a channel that was not opened
  NotSearched reason = NotSearched::kNotAsked;
};

struct SearchedChannels {
  std::vector<std::string> channels;
  std::vector<UnsearchedChannel> not_searched = {};
};

Result<Comparison> Compare(std::string_view a, std::string_view b, const CompareOptions& options);

// The comparison as one JSON object (`zhiwen compare --json`), with the names of `options`, and the
// passages that the texts share.
std::string ComparisonToJson(const Comparison& comparison, const PassageComparison& passages,
                             const SearchedChannels& searched, const CompareOptions& options);

// Returns one JSON object of what a text repeats (PassageSearch::FindRepeats), as `zhiwen compare
// --self --json` prints it.
std::string RepeatsToJson(const PassageComparison& repeats, std::string_view name,
                          const SearchedChannels& searched);

// Returns the symbols that the longest passage has the same.
uint64_t LongestPassage(const PassageComparison& passages);

}  // namespace zhiwen

#endif  // ZHIWEN_COMPARE_H_
