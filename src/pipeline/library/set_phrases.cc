#include "pipeline/library/set_phrases.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "match/passages/passage_parts.h"
#include "pipeline/library/match_passages.h"

namespace zhiwen {
namespace {

// A passage of so high a score is no set phrase.
constexpr double kLongScore = 200;
// A place that at most four texts share, so that its symbols count 1/4³ or more, is listed for one
// of them at least.
constexpr double kLeastShareOfPlace = 1.0 / 64;

}  // namespace

// Returns the score that a passage must have on a channel, where texts of characters need `score`.
double SetPhraseRules::LeastOn(std::string_view channel, double score) const {
  const double least = std::min(LeastPassageScore(units_), score);
  return RulesOfChannel(channel, least).least_score;
}

// Returns whether a passage of this score counts, of whose weight this share is no set phrase.
bool SetPhraseRules::Counts(std::string_view channel, double score, double rare,
                            double least) const {
  return score >= RulesOfChannel(channel, kLongScore).least_score ||
         score * rare >= LeastOn(channel, least);
}

bool SetPhraseRules::HasRarePassage(SuspectChannel& suspect,
                                    std::span<const ChannelPassage> passages) const {
  return std::ranges::any_of(passages, [&](const ChannelPassage& passage) {
    const double rare = suspect.places().WeightOf(passage, suspect.weights()).share();
    return Counts(suspect.channel().name(), passage.score, rare, kCandidateScore);
  });
}

Result<bool> SetPhraseRules::HasOpenPlace(SuspectChannel& suspect,
                                          std::span<const ChannelPassage> passages,
                                          const std::vector<bool>& is_listed) const {
  for (const ChannelPassage& passage : passages) {
    if (passage.score < LeastOn(suspect.channel().name(), kPassageScore)) continue;
    const double rare = suspect.places().WeightOf(passage, suspect.weights()).share();
    if (rare < kLeastShareOfPlace) continue;
    std::vector<ByteSpan> stretches;
    ZHIWEN_RETURN_IF_ERROR(suspect.AppendStretches(passage, stretches));
    ZHIWEN_ASSIGN_OR_RETURN(const bool is_open, IsOpen(stretches, is_listed));
    if (is_open) return true;
  }
  return false;
}

// Returns whether at most half of the symbols of stretches are in passages of listed matches.
Result<bool> SetPhraseRules::IsOpen(std::span<const ByteSpan> stretches,
                                    const std::vector<bool>& is_listed) const {
  ZHIWEN_ASSIGN_OR_RETURN(const std::span<const ByteSpan> units, channels_[0]->Spans());
  uint64_t all = 0, listed = 0;
  for (const ByteSpan& bytes : stretches) {
    const SymbolSpan symbols = SymbolsIn(units, bytes);
    all += symbols.size();
    for (uint64_t i = symbols.begin.value; i < symbols.end.value; ++i) {
      listed += is_listed[i] ? 1 : 0;
    }
  }
  return listed * 2 <= all;
}

Status SetPhraseRules::LeaveOut(CheckMatch& match, const std::vector<bool>& is_listed,
                                bool keeps_open_places) const {
  std::vector<CopiedPassage> kept;
  for (CopiedPassage& passage : match.passages) {
    SuspectChannel& suspect = **std::ranges::find_if(
        channels_, [&](const auto& one) { return one->channel().name() == passage.channel; });
    ZHIWEN_ASSIGN_OR_RETURN(const std::span<const ByteSpan> spans, suspect.Spans());
    std::vector<ByteSpan> stretches;
    SharedPlaces::Weight weight;
    for (const PassagePiece& piece : passage.pieces) {
      for (const PassagePart& part : MatchedParts(passage, piece, PassageSide::kA)) {
        stretches.push_back(part.bytes);
        const SymbolSpan symbols = SymbolsIn(spans, part.bytes);
        suspect.places().AddTo(weight, symbols.begin.value, symbols.end.value);
      }
    }
    const double rare = weight.share();
    passage.rare = std::llround(rare * static_cast<double>(passage.matched));
    bool counts = Counts(passage.channel, passage.score, rare, kPassageScore);
    if (!counts && keeps_open_places && rare >= kLeastShareOfPlace) {
      ZHIWEN_ASSIGN_OR_RETURN(counts, IsOpen(stretches, is_listed));
    }
    if (counts) {
      kept.push_back(std::move(passage));
    } else {
      match.excluded.push_back({ExclusionReason::kSetPhrase, std::move(passage)});
    }
  }
  match.passages = std::move(kept);
  return {};
}

Status SetPhraseRules::TakeBack(CheckMatch& match, const std::vector<bool>& is_listed) const {
  for (ExcludedPassage& one : match.excluded) {
    if (one.reason == ExclusionReason::kSetPhrase) match.passages.push_back(std::move(one.passage));
  }
  std::erase_if(match.excluded, [](const ExcludedPassage& one) {
    return one.reason == ExclusionReason::kSetPhrase;
  });
  std::ranges::stable_sort(match.passages, {},
                           [](const CopiedPassage& one) { return one.a_bytes.begin; });
  return LeaveOut(match, is_listed, true);
}

}  // namespace zhiwen
