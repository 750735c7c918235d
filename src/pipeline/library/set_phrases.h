#ifndef ZHIWEN_PIPELINE_LIBRARY_SET_PHRASES_H_
#define ZHIWEN_PIPELINE_LIBRARY_SET_PHRASES_H_

// Tells set phrases from what a checked text has from a document (zhiwen/check.h): by how many
// different texts share each place (pipeline/library/shared_places.h).
//
// In          the channels of the text, on each of which places were counted
// Threads     one at a time
// Fails       as SuspectChannel::Spans does

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "match/passages/channel_passages.h"
#include "pipeline/library/suspect_channel.h"
#include "zhiwen/check.h"
#include "zhiwen/offsets.h"
#include "zhiwen/result.h"

namespace zhiwen {

// A document may share a passage that counts if it has one of this score on a channel, which
// letters on one side may say less than the characters on the other.
inline constexpr double kCandidateScore = 10;

class SetPhraseRules {
 public:
  // `channels`, the folded one first, must outlive the object; the text has so many units on it.
  SetPhraseRules(const std::vector<std::unique_ptr<SuspectChannel>>& channels, uint64_t units)
      : channels_(channels), units_(units) {}

  // Returns whether one of the passages of a document on a channel is no set phrase.
  bool HasRarePassage(SuspectChannel& suspect, std::span<const ChannelPassage> passages) const;

  // Returns whether few texts share a place of these, of which no unit, or few, `is_listed`.
  Result<bool> HasOpenPlace(SuspectChannel& suspect, std::span<const ChannelPassage> passages,
                            const std::vector<bool>& is_listed) const;

  // Puts the passages of a match aside that are set phrases; but not open places, where these are
  // kept.
  Status LeaveOut(CheckMatch& match, const std::vector<bool>& is_listed,
                  bool keeps_open_places) const;

  // Puts excluded passages of a match back that are open places.
  Status TakeBack(CheckMatch& match, const std::vector<bool>& is_listed) const;

 private:
  double LeastOn(std::string_view channel, double score) const;
  bool Counts(std::string_view channel, double score, double rare, double least) const;
  Result<bool> IsOpen(std::span<const ByteSpan> stretches,
                      const std::vector<bool>& is_listed) const;

  const std::vector<std::unique_ptr<SuspectChannel>>& channels_;
  const uint64_t units_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_SET_PHRASES_H_
