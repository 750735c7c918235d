#ifndef ZHIWEN_PIPELINE_LIBRARY_SHARED_TEXT_H_
#define ZHIWEN_PIPELINE_LIBRARY_SHARED_TEXT_H_

// Compares a checked text with one document on one channel.
//
// Threads     free functions; one at a time for a SuspectChannel
// Fails       kInterrupted, kTerminated

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "match/passages/channel_passages.h"
#include "match/similarity.h"
#include "pipeline/library/suspect_channel.h"
#include "pipeline/library/text_sketcher.h"
#include "zhiwen/check.h"
#include "zhiwen/environment.h"
#include "zhiwen/offsets.h"
#include "zhiwen/result.h"

namespace zhiwen {

// How much of each text the other one has.
struct TextShares {
  double resemblance = 0, containment = 0, containment_of_original = 0;

  static TextShares Of(const SetOverlap& overlap) {
    return {overlap.Resemblance(), overlap.ContainmentOfA(), overlap.ContainmentOfB()};
  }
};

struct SharedText {
  Relation relation = Relation::kNone;
  bool is_exact = false;                      // equal on the exact channel
  uint64_t matched = 0;                       // symbols
  uint64_t longest_run = 0;                   // of them
  std::vector<ChannelPassage> passages = {};  // none of granules
  std::vector<ByteSpan> stretches = {};       // of the text, that the document has
  std::vector<ByteSpan> hulls = {};           // from the first stretch of a passage to the last
  std::optional<TextShares> shares = {};      // none where passages alone were looked for
};

// A text that is checked.
struct CheckedSuspect {
  std::string_view text;
  const TextSketch& sketch;
  double near_threshold = 0, containment = 0;
};

// Compares the texts as sets of shingles, and finds the passages that they share on a channel,
// which are added to the places of the channel. Texts can be the same only where `is_folded`.
Result<SharedText> CompareOnChannel(const CheckedSuspect& checked, SuspectChannel& suspect,
                                    bool is_folded, const std::string& original,
                                    const Cancellation& cancellation);

// Finds the runs that make a match of granules. Texts that are unlike share shingles of first
// letters, too: the resemblance is that of the folded channel, and the containments are what the
// runs have of the texts.
Result<SharedText> CompareGranules(const CheckedSuspect& checked, SuspectChannel& suspect,
                                   SuspectChannel& folded, TextSketcher& sketcher,
                                   const std::string& original);

// Gives a match the relation, the longest run and the shares. Those of texts that share passages
// alone are computed only here.
void TakeFigures(const SharedText& shared, SuspectChannel& suspect, const std::string& original,
                 CheckMatch& match);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_SHARED_TEXT_H_
