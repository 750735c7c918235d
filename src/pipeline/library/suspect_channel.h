#ifndef ZHIWEN_PIPELINE_LIBRARY_SUSPECT_CHANNEL_H_
#define ZHIWEN_PIPELINE_LIBRARY_SUSPECT_CHANNEL_H_

// A text that is checked, on one channel of a library: what its passages are looked up by, and how
// it is related to the text of a document.
//
// Guarantees  a document shares passages of kPassageScore, as zhiwen/passages.h finds them. On the
//             channel of granules, where set phrases with other figures are runs, it has a run of
//             22 of which one symbol in 20 is disguised, and at least 3
// Cost        linear in the text; spans are computed when they are first asked for
// Threads     one at a time

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "index/postings/postings_index.h"
#include "match/passages/channel_passages.h"
#include "match/passages/seed_matches.h"
#include "match/run_finder.h"
#include "match/similarity.h"
#include "pipeline/library/shared_places.h"
#include "pipeline/library/text_sketcher.h"
#include "zhiwen/check.h"
#include "zhiwen/compare.h"
#include "zhiwen/environment.h"
#include "zhiwen/result.h"

namespace zhiwen {

// A text on a channel.
struct ChannelSet {
  std::vector<uint32_t> symbols;
  std::vector<uint64_t> shingles;  // the set of them, ascending
};

ChannelSet ComputeChannelSet(const Channel& channel, std::string_view utf8);

class SuspectChannel {
 public:
  // `channel` and the valid UTF-8 `text`, of which `set` is computed, must outlive the object, and
  // so must `index`, which is null before anything was added. The shingles of `set` may be missing
  // for granules.
  SuspectChannel(const Channel& channel, const PostingsIndex* index, std::string_view text,
                 ChannelSet set);
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

  // Reads the text of a document, with which the next four functions compare.
  void Read(std::string_view original);

  size_t symbols() const { return set_.symbols.size(); }
  std::span<const uint32_t> original() const { return original_.symbols; }
  bool IsEqual() const { return set_.symbols == original_.symbols; }
  SetOverlap OverlapOfShingles();
  bool SharesRun();
  Result<std::vector<ChannelPassage>> FindPassages(double least_score,
                                                   const Cancellation& cancellation);

  // Appends the bytes of the text that the equal stretches of a passage have.
  Status AppendStretches(const ChannelPassage& passage, std::vector<ByteSpan>& stretches);

  // Returns how much each symbol of the text says. Valid after FindPassages.
  std::span<const float> weights() const { return weights_; }

  // Counts where documents that were compared share passages.
  SharedPlaces& places() { return places_; }

  // Returns whether the runs of a comparison make a match of granules.
  Result<bool> Confirms(std::string_view original, const Comparison& comparison);

 private:
  double Weight(const SharedRun& run, std::string_view original) const;
  uint64_t CountDisguised(const SharedRun& run, std::string_view original,
                          std::span<const ByteSpan> spans, uint64_t most) const;

  const Channel& channel_;
  const PostingsIndex* const index_;
  const std::string_view text_;
  const ChannelSet set_;
  const std::vector<BlockAt> blocks_;
  std::optional<RunFinder> runs_;          // made when it is first asked for, as are
  std::optional<SeedFinder> seeds_;        // these,
  std::vector<float> weights_;             // these,
  std::optional<WeightSums> sums_;         // these,
  std::optional<SpannedSymbols> spanned_;  // and these
  SharedPlaces places_;
  std::set<uint32_t> compared_;  // numbers of documents
  ChannelSet original_;
  WeightSums weightless_{{}};  // its symbols count by what they say in the text
  std::vector<uint64_t> scratch_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_SUSPECT_CHANNEL_H_
