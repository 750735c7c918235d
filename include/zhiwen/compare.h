#ifndef ZHIWEN_COMPARE_H_
#define ZHIWEN_COMPARE_H_

// Comparing two texts: how alike they are in both directions, and the runs they share.
//
// In          two UTF-8 texts, a channel, the shortest run to report
// Out         Comparison: resemblance, containments, shared runs with their bytes in both texts
// Guarantees  every maximal run of at least `min_run` symbols shared by both is covered by a
// reported run; runs do not overlap in a Cost        linear in the lengths, apart from texts that
// repeat one passage very often (bounded, see match/shared_runs.h) Fails       kUnreadable: a text
// is not valid UTF-8

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/channel.h"
#include "zhiwen/offsets.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct CompareOptions {
  Channel channel = Channel::kFolded;
  uint32_t min_run = 8;  // symbols
};

// a[a_bytes] and b[b_bytes] are the same symbols on the channel.
struct SharedRun {
  ByteSpan a_bytes;
  ByteSpan b_bytes;
  SymbolSpan a_symbols;
  SymbolSpan b_symbols;
};

struct Comparison {
  bool equal_bytes = false;
  bool equal_exact = false;    // on the exact channel
  bool equal_channel = false;  // on the channel compared
  double resemblance =
      0;  // |A ∩ B| / |A ∪ B| over distinct shingles; 1 for equal texts under one shingle, else 0
  double containment_of_a = 0;  // |A ∩ B| / |A|
  double containment_of_b = 0;
  uint64_t a_symbols = 0, b_symbols = 0;
  uint64_t a_shingles = 0, b_shingles = 0, shared_shingles = 0;  // distinct
  uint64_t a_covered = 0, b_covered = 0;                         // symbols inside shared runs
  uint64_t longest_run = 0;                                      // symbols
  DisguiseCounts a_disguise, b_disguise;
  std::vector<SharedRun> runs;  // ascending in a
};

Result<Comparison> Compare(std::string_view a, std::string_view b, const CompareOptions& options);

// Names of the texts and the comparison as one JSON object (`zhiwen compare --json`).
std::string ComparisonToJson(const Comparison& comparison, std::string_view a_name,
                             std::string_view b_name, const CompareOptions& options);

}  // namespace zhiwen

#endif  // ZHIWEN_COMPARE_H_
