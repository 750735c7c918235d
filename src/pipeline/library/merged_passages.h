#ifndef ZHIWEN_PIPELINE_LIBRARY_MERGED_PASSAGES_H_
#define ZHIWEN_PIPELINE_LIBRARY_MERGED_PASSAGES_H_

// Makes one list of the passages that several channels find in a text and a document.
//
// Guarantees  passages are ascending and do not overlap in the text. Runs that overlap in both
//             texts are one passage, which has the channel that finds most of it; of channels that
//             find as much, the first. A later channel never makes them cover less
// Threads     free function

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "zhiwen/compare.h"
#include "zhiwen/offsets.h"

namespace zhiwen {

// A channel by what it finds. The ones before it find what is less disguised.
struct ChannelRuns {
  std::span<const SharedRun> runs;  // ascending in the text
  std::span<const ByteSpan> spans;  // of the symbols of the text on the channel
};

struct MergedPassage {
  ByteSpan text, document;
  size_t channel = 0;  // which of the given ones
};

// Returns the passages of all channels. A run of a later channel counts where it has `least`
// symbols or more that no passage of an earlier channel has.
std::vector<MergedPassage> MergePassages(std::span<const ChannelRuns> channels, uint32_t least);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_MERGED_PASSAGES_H_
