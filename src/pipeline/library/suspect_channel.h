#ifndef ZHIWEN_PIPELINE_LIBRARY_SUSPECT_CHANNEL_H_
#define ZHIWEN_PIPELINE_LIBRARY_SUSPECT_CHANNEL_H_

// A text that is checked, on one channel of a library: what its passages are looked up by, and how
// it is related to the text of a document.
//
// Guarantees  on channels beside the folded one a match has a run of 22 symbols, 3 of them
//             disguised, or one of 40; a symbol that is Chinese in neither text counts as 0.35. On
//             the channel of granules, where set phrases with other figures are runs, it has a run
//             of 22 of which one in 20 is disguised, and at least 3
// Cost        linear in the text; spans are computed when they are first asked for
// Threads     one at a time

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "index/postings/postings_index.h"
#include "match/run_finder.h"
#include "pipeline/library/text_sketcher.h"
#include "zhiwen/check.h"
#include "zhiwen/compare.h"
#include "zhiwen/result.h"

namespace zhiwen {

// A text on a channel.
struct ChannelSet {
  std::vector<uint32_t> symbols;
  std::vector<uint64_t> shingles;  // the set of them, ascending
};

// Which runs of a channel make a match.
enum class ChannelKind : uint8_t {
  kFolded,     // all
  kDisguises,  // those that are disguised, or long: others are set phrases
  kGranules,   // those of which enough is disguised
};

ChannelSet ComputeChannelSet(const Channel& channel, std::string_view utf8);

class SuspectChannel {
 public:
  // `channel` and the valid UTF-8 `text`, of which `set` is computed, must outlive the object, and
  // so must `index`, which is null before anything was added. The shingles of `set` may be missing
  // for granules.
  SuspectChannel(const Channel& channel, const PostingsIndex* index, std::string_view text,
                 ChannelSet set, ChannelKind kind);
  SuspectChannel(const SuspectChannel&) = delete;
  SuspectChannel& operator=(const SuspectChannel&) = delete;

  const Channel& channel() const { return channel_; }
  const PostingsIndex* index() const { return index_; }
  std::set<uint32_t>& compared() { return compared_; }

  // Returns the source bytes of the symbols; a view until the object ends.
  Result<std::span<const ByteSpan>> Spans();

  // Returns the distinct blocks that begin at a byte that is not covered. `covered` has a value for
  // each byte, or is empty where none is.
  Result<std::vector<uint64_t>> UncoveredBlocks(const std::vector<bool>& covered);

  // Returns how the text is related to a document that is not equal to it; by the texts alone, so
  // that the result has to be confirmed by Confirms. Of granules the most is kPassages.
  Relation RelationTo(std::string_view original, double near_threshold, double containment);

  // Returns whether the runs of a comparison are enough for a relation.
  Result<bool> Confirms(Relation relation, std::string_view original, const Comparison& comparison);

 private:
  double Weight(const SharedRun& run, std::string_view original) const;
  uint64_t CountDisguised(const SharedRun& run, std::string_view original,
                          std::span<const ByteSpan> spans, uint64_t most) const;

  const Channel& channel_;
  const PostingsIndex* const index_;
  const std::string_view text_;
  const ChannelKind kind_;
  const ChannelSet set_;
  const std::vector<BlockAt> blocks_;
  std::optional<RunFinder> runs_;  // made when a document is compared
  std::optional<SpannedSymbols> spanned_;
  std::set<uint32_t> compared_;  // numbers of documents
  ChannelSet original_;
  std::vector<uint64_t> scratch_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_SUSPECT_CHANNEL_H_
