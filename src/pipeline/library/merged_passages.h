#ifndef ZHIWEN_PIPELINE_LIBRARY_MERGED_PASSAGES_H_
#define ZHIWEN_PIPELINE_LIBRARY_MERGED_PASSAGES_H_

// Makes one list of the passages that several channels find in a text and a document.
//
// Guarantees  passages are ascending and do not overlap in the text. A run of a later channel takes
//             in what it overlaps at the same place of both texts, if that is too short for a
//             passage by itself; the whole has the channel that finds most of it, of channels that
//             find as much the first. Around other passages the run is cut. Nothing that an earlier
//             channel finds is lost
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
  size_t channel = 0;  // which of the given ones
};

// Returns the passages of all channels. What a run of a later channel adds between passages counts
// where `least` symbols of it or more are in no passage. A passage by itself is one of which the
// run has kPassageRun symbols.
std::vector<MergedPassage> MergePassages(std::span<const ChannelRuns> channels, uint32_t least);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_MERGED_PASSAGES_H_
