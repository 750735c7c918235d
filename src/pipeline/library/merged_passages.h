#ifndef ZHIWEN_PIPELINE_LIBRARY_MERGED_PASSAGES_H_
#define ZHIWEN_PIPELINE_LIBRARY_MERGED_PASSAGES_H_

// Makes one list of the passages that several channels find in a text and a document.
//
// Guarantees  passages are ascending and do not overlap in the text. A run of a later channel is
// cut
//             where an earlier passage is at another place of the document. What is left of it
//             joins the passages that it overlaps to one, of this channel; but a passage of
//             kPassageRun symbols stays by itself where `least` symbols or more that no passage has
//             are beside it. Nothing that an earlier channel finds is lost, and nothing of a run
//             but what has fewer than `least` new symbols
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
  // Of the symbols of the text and of the document on the channel; those of the document may be
  // missing for the first channel.
  std::span<const ByteSpan> spans, document_spans;
};

struct MergedPassage {
  ByteSpan text, document;
  size_t channel = 0;    // which of the given ones
  uint64_t symbols = 0;  // of the text on the channels that found its parts
};

// Returns the passages of all channels.
std::vector<MergedPassage> MergePassages(std::span<const ChannelRuns> channels, uint32_t least);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_MERGED_PASSAGES_H_
