#ifndef ZHIWEN_MATCH_PASSAGES_CHANNEL_PASSAGES_H_
#define ZHIWEN_MATCH_PASSAGES_CHANNEL_PASSAGES_H_

// Finds the passages that two texts share on one channel: seeds, chains of them, their ends, and
// chains that belong together.
//
// In          symbols of both texts on the channel, with their weights
// Out         passages, each of blocks: what is in order within a block may be in any order between
//             blocks, so that shuffled sentences are one passage. Passages ascend in a, blocks too
// Guarantees  the same for any machine. Blocks do not overlap in a. A passage reaches the least
//             score of the rules. Of a text compared with itself (PassageSource::kEarlier) no
//             symbol is aligned with itself, and a passage overlaps what it repeats only where a
//             single block does: a stretch that comes again and again
// Cost        that of SeedMatcher and FindChains; linear for texts without many repeats
// Threads     free function
// Fails       kInterrupted, kTerminated

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "match/passages/chains.h"
#include "zhiwen/environment.h"
#include "zhiwen/offsets.h"
#include "zhiwen/passages.h"
#include "zhiwen/result.h"

namespace zhiwen {

// What a passage must have on a channel.
struct PassageRules {
  uint32_t seed = 4;
  double least_score = 16;            // of a passage: weights less prices of gaps
  double strong_score = 14;           // of a block, to join other strong ones from afar
  double weak_score = kScoreOfBlock;  // of a block that joins a strong one nearby
  PassageSource source = PassageSource::kOther;
};

// Returns the rules of a channel by its canonical name, for passages of a least score: letters are
// equal by chance more often than syllables, and need longer runs.
PassageRules RulesOfChannel(std::string_view channel, double least_score);

struct ChannelText {
  std::span<const uint32_t> symbols;
  std::span<const float> weights;
};

// A text whose weights are summed up.
struct WeighedText {
  ChannelText text;
  const WeightSums& sums;
};

// Symbols of both texts: half open.
struct PassageBlock {
  uint32_t a_begin = 0, a_end = 0;
  uint32_t b_begin = 0, b_end = 0;
  double score = 0;
  std::vector<SeedMatch> matches;  // ascending in both texts, without overlaps
};

struct ChannelPassage {
  std::vector<PassageBlock> blocks;
  double score = 0;
};

// Finds passages in parts of a, which ascend and do not overlap.
Result<std::vector<ChannelPassage>> FindChannelPassages(const ChannelText& a,
                                                        std::span<const SymbolSpan> parts,
                                                        const ChannelText& b,
                                                        const PassageRules& rules,
                                                        const Cancellation& cancellation);

// Finds passages from equal stretches that are known (match/passages/seed_matches.h), with the sums
// of the weights of both texts.
Result<std::vector<ChannelPassage>> MakeChannelPassages(const WeighedText& a, const WeighedText& b,
                                                        std::span<const SeedMatch> matches,
                                                        const PassageRules& rules,
                                                        const Cancellation& cancellation);

}  // namespace zhiwen

#endif  // ZHIWEN_MATCH_PASSAGES_CHANNEL_PASSAGES_H_
