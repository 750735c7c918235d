#include "match/passages/channel_passages.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <utility>

#include "match/passages/extend_ends.h"
#include "match/passages/word_rules.h"

namespace zhiwen {
namespace {

// How far apart strong blocks may be that are one passage.
constexpr uint32_t kStrongReachInA = 200, kStrongReachInB = 400;
// Passages this near in a are one, in whatever order their sources are, if they have half of them.
constexpr uint32_t kSideBySide = 30;
// A run of so many symbols that comes again within a passage says little.
constexpr size_t kRepeatedRun = 4;
constexpr double kWeightOfRepeat = 0.1;
constexpr size_t kMostNeighbours = 64;  // blocks that a weak one is compared with on each side
// Symbols; a passage of fewer says nothing, unless a text has no more.
constexpr size_t kLeastDistinct = 8;

// First letters of sounds: so many of them say as much as a symbol.
constexpr double kLettersForSymbol = 2.5;
constexpr uint32_t kSeedOfLetters = 8;

// Counts different symbols, up to kLeastDistinct.
class DistinctSymbols {
 public:
  void Add(uint32_t symbol) {
    const auto end = symbols_.begin() + static_cast<ptrdiff_t>(count_);
    if (count_ == kLeastDistinct || std::find(symbols_.begin(), end, symbol) != end) return;
    symbols_[count_++] = symbol;
  }
  size_t count() const { return count_; }

 private:
  std::array<uint32_t, kLeastDistinct> symbols_ = {};
  size_t count_ = 0;
};

// Returns the number of different symbols, at most kLeastDistinct.
size_t CountDistinct(std::span<const uint32_t> symbols) {
  DistinctSymbols distinct;
  for (size_t i = 0; i < symbols.size() && distinct.count() < kLeastDistinct; ++i) {
    distinct.Add(symbols[i]);
  }
  return distinct.count();
}

// Tells which runs come again.
class KnownRuns {
 public:
  explicit KnownRuns(size_t most) : slots_(std::bit_ceil(most * 2 + 1)) {}

  // Returns whether a run, which is not UINT64_MAX, is a new one.
  bool Insert(uint64_t run) {
    size_t slot = (run * 0x9E3779B97F4A7C15 >> 32) & (slots_.size() - 1);
    while (slots_[slot] != 0 && slots_[slot] != run + 1) slot = (slot + 1) & (slots_.size() - 1);
    return std::exchange(slots_[slot], run + 1) == 0;
  }

 private:
  std::vector<uint64_t> slots_;  // 0: empty
};

// The symbols of a text that blocks have: stretches that do not overlap, ascending.
class CoveredSymbols {
 public:
  struct Stretch {
    uint32_t begin = 0, end = 0;
  };

  // Takes a stretch that overlaps none.
  void Add(uint32_t begin, uint32_t end) {
    stretches_.insert(stretches_.begin() + static_cast<ptrdiff_t>(FirstBehind(begin)),
                      {begin, end});
  }

  // Returns where the free symbols begin that end with `at`, which no stretch has.
  uint32_t FreeBegin(uint32_t at) const {
    const size_t next = FirstBehind(at);
    return next == 0 ? 0 : stretches_[next - 1].end;
  }

  // Returns where the free symbols end that begin with `at`; `size` if no stretch is behind it.
  uint32_t FreeEnd(uint32_t at, uint32_t size) const {
    const size_t next = FirstBehind(at);
    return next == stretches_.size() ? size : stretches_[next].begin;
  }

  // Returns the free stretches of [begin, end).
  std::vector<Stretch> FreeIn(uint32_t begin, uint32_t end) const {
    std::vector<Stretch> free;
    for (size_t next = FirstBehind(begin); begin < end; ++next) {
      const bool is_last = next == stretches_.size() || stretches_[next].begin >= end;
      const uint32_t until = is_last ? end : stretches_[next].begin;
      if (begin < until) free.push_back({begin, until});
      if (is_last) break;
      begin = stretches_[next].end;
    }
    return free;
  }

 private:
  // Returns the number of the first stretch that ends behind a symbol.
  size_t FirstBehind(uint32_t at) const {
    const auto next = std::ranges::upper_bound(stretches_, at, {}, &Stretch::end);
    return static_cast<size_t>(next - stretches_.begin());
  }

  std::vector<Stretch> stretches_;
};

bool HasRun(const ChannelPassage& passage, uint32_t length) {
  return std::ranges::any_of(passage.blocks, [&](const PassageBlock& block) {
    return std::ranges::any_of(block.matches,
                               [&](const SeedMatch& match) { return match.length >= length; });
  });
}

uint32_t GapBetween(uint32_t begin_x, uint32_t end_x, uint32_t begin_y, uint32_t end_y) {
  if (end_x <= begin_y) return begin_y - end_x;
  return end_y <= begin_x ? begin_x - end_y : 0;
}

class PassageMakerOfChannel {
 public:
  PassageMakerOfChannel(const WeighedText& a, const WeighedText& b, const PassageRules& rules)
      : a_(a.text),
        b_(b.text),
        rules_(rules),
        weights_{a.sums, b.sums},
        least_distinct_(std::min(CountDistinct(a_.symbols), CountDistinct(b_.symbols))) {}

  Result<std::vector<ChannelPassage>> Find(std::span<const SeedMatch> matches,
                                           const Cancellation& cancellation) {
    std::vector<Chain> chains = FindChains(matches, weights_, rules_.weak_score, cancellation);
    ZHIWEN_RETURN_IF_ERROR(cancellation.Check());
    if (WeightOf(chains) < rules_.least_score) return std::vector<ChannelPassage>();
    if (rules_.source == PassageSource::kEarlier) chains = PartChains(std::move(chains));
    KeepBlocks(std::move(chains));
    std::vector<ChannelPassage> passages = Join();
    JoinRearranged(passages);
    if (rules_.source == PassageSource::kEarlier) passages = PartRepeats(std::move(passages));
    for (ChannelPassage& passage : passages) passage.score = ScoreOf(passage);
    std::erase_if(passages, [&](const ChannelPassage& passage) {
      return passage.score < rules_.least_score ||
             (rules_.seed < kLeastRun && !HasRun(passage, kLeastRun));
    });
    return passages;
  }

 private:
  // Returns what all stretches of chains weigh: blocks are made of nothing else, and score less.
  double WeightOf(std::span<const Chain> chains) const {
    double weight = 0;
    for (const Chain& chain : chains) {
      for (const SeedMatch& match : chain.matches) weight += weights_.Of(match);
    }
    return weight;
  }
  std::vector<Chain> PartChains(std::vector<Chain> chains) const;
  void KeepBlocks(std::vector<Chain> chains);
  void AddBlock(Chain chain);
  void AddPart(const Chain& chain, uint32_t begin, uint32_t end);
  bool AreNear(const PassageBlock& x, const PassageBlock& y, uint32_t in_a, uint32_t in_b) const {
    return GapBetween(x.a_begin, x.a_end, y.a_begin, y.a_end) <= in_a &&
           GapBetween(x.b_begin, x.b_end, y.b_begin, y.b_end) <= in_b;
  }
  size_t RootOf(size_t block);
  void JoinStrong();
  void JoinWeak();
  std::vector<ChannelPassage> Join();
  void JoinRearranged(std::vector<ChannelPassage>& passages) const;
  static std::vector<ChannelPassage> PartRepeats(std::vector<ChannelPassage> passages);
  double ScoreOf(const ChannelPassage& passage) const;

  const ChannelText& a_;
  const ChannelText& b_;
  const PassageRules& rules_;
  const BothWeights weights_;
  const size_t least_distinct_;
  CoveredSymbols covered_;            // of a, by blocks
  std::vector<PassageBlock> blocks_;  // ascending in a, when all are there
  std::vector<size_t> parents_;       // of blocks that are joined
};

// Parts the chains of a text that repeats itself which overlap what they repeat: a text that comes
// again and again is one chain, with short gaps where it was edited; sentences that are doubled one
// by one are a chain each.
std::vector<Chain> PassageMakerOfChannel::PartChains(std::vector<Chain> chains) const {
  std::vector<Chain> parted;
  for (Chain& chain : chains) {
    const SeedMatch last = chain.matches.back();
    if (last.b + last.length <= chain.matches.front().a) {
      parted.push_back(std::move(chain));
      continue;
    }
    Chain part;
    const auto end_part = [&] {
      part.score = ScoreOfChain(part.matches, weights_);
      if (part.score >= rules_.weak_score) parted.push_back(std::move(part));
      part = {};
    };
    for (const SeedMatch& match : chain.matches) {
      if (!part.matches.empty()) {
        const SeedMatch& before = part.matches.back();
        const uint32_t gap = std::max(match.a - before.a, match.b - before.b) - before.length;
        if (gap * 2 > match.a - match.b) end_part();
      }
      part.matches.push_back(match);
    }
    end_part();
  }
  std::ranges::stable_sort(parted,
                           [](const Chain& x, const Chain& y) { return x.score > y.score; });
  return parted;
}

// Makes a block of a chain and of what follows it on both sides, as far as no block has it.
void PassageMakerOfChannel::AddBlock(Chain chain) {
  const SeedMatch &first = chain.matches.front(), &last = chain.matches.back();
  const uint32_t a_end = last.a + last.length, b_end = last.b + last.length;
  // A repeat grows up to what it repeats, and no further: beyond, the text is equal to itself.
  const bool is_repeat = rules_.source == PassageSource::kEarlier;
  const uint32_t least = is_repeat ? std::min(b_end, first.a) : 0;
  const uint32_t begin = std::max(least, covered_.FreeBegin(first.a));
  const uint32_t end = covered_.FreeEnd(a_end, static_cast<uint32_t>(a_.symbols.size()));
  const Extension before =
      ExtendBefore(a_.symbols.subspan(begin, first.a - begin), b_.symbols.first(first.b));
  const size_t most = is_repeat ? std::max(b_end, first.a - before.a) : b_.symbols.size();
  const Extension after =
      ExtendAfter(a_.symbols.subspan(a_end, end - a_end), b_.symbols.subspan(b_end, most - b_end));
  PassageBlock block = {.a_begin = first.a - before.a,
                        .a_end = a_end + after.a,
                        .b_begin = first.b - before.b,
                        .b_end = b_end + after.b,
                        .score = chain.score,
                        .matches = std::move(chain.matches)};
  covered_.Add(block.a_begin, block.a_end);
  blocks_.push_back(std::move(block));
}

// Makes a block of the part of a chain that lies between two symbols of a.
void PassageMakerOfChannel::AddPart(const Chain& chain, uint32_t begin, uint32_t end) {
  Chain part;
  for (const SeedMatch& match : chain.matches) {
    const uint32_t from = std::max(begin, match.a), to = std::min(end, match.a + match.length);
    if (from < to) part.matches.push_back({from, match.b + (from - match.a), to - from});
  }
  part.score = ScoreOfChain(part.matches, weights_);
  if (part.score >= rules_.weak_score) AddBlock(std::move(part));
}

// Makes blocks of the chains that better ones leave at least half of their symbols.
void PassageMakerOfChannel::KeepBlocks(std::vector<Chain> chains) {
  for (Chain& chain : chains) {
    const uint32_t begin = chain.matches.front().a;
    const uint32_t end = chain.matches.back().a + chain.matches.back().length;
    const std::vector<CoveredSymbols::Stretch> parts = covered_.FreeIn(begin, end);
    uint32_t free = 0;
    for (const auto& [from, to] : parts) free += to - from;
    if (free == end - begin) {
      AddBlock(std::move(chain));
    } else if (uint64_t{free} * 2 >= end - begin) {
      for (const auto& [from, to] : parts) AddPart(chain, from, to);
    }
  }
  std::ranges::stable_sort(blocks_, {}, &PassageBlock::a_begin);
  parents_.resize(blocks_.size());
  std::iota(parents_.begin(), parents_.end(), size_t{0});
}

size_t PassageMakerOfChannel::RootOf(size_t block) {
  while (parents_[block] != block) block = parents_[block] = parents_[parents_[block]];
  return block;
}

void PassageMakerOfChannel::JoinStrong() {
  for (size_t i = 0; i < blocks_.size(); ++i) {
    if (blocks_[i].score < rules_.strong_score) continue;
    const uint32_t reach = blocks_[i].a_end + kStrongReachInA;
    for (size_t j = i + 1; j < blocks_.size() && blocks_[j].a_begin <= reach; ++j) {
      if (blocks_[j].score < rules_.strong_score) continue;
      if (!AreNear(blocks_[i], blocks_[j], kStrongReachInA, kStrongReachInB)) continue;
      parents_[RootOf(j)] = RootOf(i);
    }
  }
}

// Joins weak blocks to strong ones nearby: the longer, the farther.
void PassageMakerOfChannel::JoinWeak() {
  for (size_t i = 0; i < blocks_.size(); ++i) {
    const PassageBlock& weak = blocks_[i];
    if (weak.score >= rules_.strong_score) continue;
    const uint32_t length = weak.a_end - weak.a_begin;
    const uint32_t in_a = std::min(kStrongReachInA / 2, 2 * length + 10);
    const uint32_t in_b = std::min(kStrongReachInB / 2, 8 * length + 20);
    const auto join = [&](size_t j) {
      const bool is_strong = blocks_[j].score >= rules_.strong_score;
      if (!is_strong || !AreNear(weak, blocks_[j], in_a, in_b)) return false;
      parents_[i] = RootOf(j);
      return true;
    };
    bool is_joined = false;
    for (size_t back = 1; !is_joined && back <= std::min(i, kMostNeighbours); ++back) {
      is_joined = join(i - back);
    }
    for (size_t j = i + 1; !is_joined && j < std::min(blocks_.size(), i + kMostNeighbours); ++j) {
      if (blocks_[j].a_begin > weak.a_end + in_a) break;
      is_joined = join(j);
    }
  }
}

std::vector<ChannelPassage> PassageMakerOfChannel::Join() {
  JoinStrong();
  JoinWeak();
  std::vector<ChannelPassage> passages;
  std::vector<size_t> passage_of(blocks_.size(), SIZE_MAX);
  for (size_t i = 0; i < blocks_.size(); ++i) {
    size_t& number = passage_of[RootOf(i)];
    if (number == SIZE_MAX) {
      number = passages.size();
      passages.emplace_back();
    }
    passages[number].blocks.push_back(std::move(blocks_[i]));
  }
  return passages;
}

// Makes passages that stand side by side in a one, where they have at least half of the text that
// their sources lie in: a whole document whose sentences are shuffled.
void PassageMakerOfChannel::JoinRearranged(std::vector<ChannelPassage>& passages) const {
  std::vector<ChannelPassage> joined;
  for (size_t first = 0; first < passages.size();) {
    uint32_t end = passages[first].blocks.back().a_end, b_begin = UINT32_MAX, b_end = 0;
    uint64_t symbols = 0;
    size_t last = first;
    const auto take = [&](const ChannelPassage& passage) {
      for (const PassageBlock& block : passage.blocks) {
        end = std::max(end, block.a_end);
        b_begin = std::min(b_begin, block.b_begin);
        b_end = std::max(b_end, block.b_end);
        symbols += block.b_end - block.b_begin;
      }
    };
    take(passages[last++]);
    while (last < passages.size() && passages[last].blocks.front().a_begin <= end + kSideBySide) {
      take(passages[last++]);
    }
    const bool are_one = symbols * 2 >= b_end - b_begin;
    for (size_t i = first; i < last; ++i) {
      if (i == first || !are_one) {
        joined.push_back(std::move(passages[i]));
        continue;
      }
      std::ranges::move(passages[i].blocks, std::back_inserter(joined.back().blocks));
    }
    std::ranges::stable_sort(joined.back().blocks, {}, &PassageBlock::a_begin);
    first = last;
  }
  passages = std::move(joined);
}

// Parts the passages of a text that repeats itself: blocks of a passage stay together as long as
// they stand behind all that they repeat.
std::vector<ChannelPassage> PassageMakerOfChannel::PartRepeats(
    std::vector<ChannelPassage> passages) {
  std::vector<ChannelPassage> parted;
  for (ChannelPassage& passage : passages) {
    uint32_t a_begin = 0, b_end = UINT32_MAX;  // of the part so far
    for (PassageBlock& block : passage.blocks) {
      const uint32_t joined_end = std::max(b_end, block.b_end);
      if (joined_end > a_begin) {
        parted.emplace_back();
        a_begin = block.a_begin;
        b_end = block.b_end;
      } else {
        b_end = joined_end;
      }
      parted.back().blocks.push_back(std::move(block));
    }
  }
  return parted;
}

// Returns the scores of the blocks, less what they repeat; all of it where that is too little.
double PassageMakerOfChannel::ScoreOf(const ChannelPassage& passage) const {
  double score = 0;
  size_t symbols = 0;
  for (const PassageBlock& block : passage.blocks) score += block.score;
  if (score < rules_.least_score) return score;
  for (const PassageBlock& block : passage.blocks) {
    for (const SeedMatch& match : block.matches) symbols += match.length;
  }
  KnownRuns runs(symbols);
  DistinctSymbols distinct;
  score = 0;
  for (const PassageBlock& block : passage.blocks) {
    score += block.score;
    for (const SeedMatch& match : block.matches) {
      uint64_t run = 0;
      for (uint32_t i = match.a; i < match.a + match.length; ++i) {
        distinct.Add(a_.symbols[i]);
        run = run << 16 ^ (a_.symbols[i] * uint64_t{0x9E3779B1}) % 65521;
        if (i - match.a + 1 < kRepeatedRun || runs.Insert(run)) continue;
        score -= (1 - kWeightOfRepeat) * a_.weights[i];
      }
    }
  }
  return distinct.count() < least_distinct_ ? 0 : score;
}

}  // namespace

PassageRules RulesOfChannel(std::string_view channel, double least_score) {
  PassageRules rules = {.least_score = least_score};
  if (channel.starts_with("initials")) {
    rules.seed = kSeedOfLetters;
    rules.least_score *= kLettersForSymbol;
  }
  return rules;
}

Result<std::vector<ChannelPassage>> MakeChannelPassages(const WeighedText& a, const WeighedText& b,
                                                        std::span<const SeedMatch> matches,
                                                        const PassageRules& rules,
                                                        const Cancellation& cancellation) {
  ZHIWEN_RETURN_IF_ERROR(cancellation.Check());
  if (matches.empty()) return std::vector<ChannelPassage>();
  return PassageMakerOfChannel(a, b, rules).Find(matches, cancellation);
}

Result<std::vector<ChannelPassage>> FindChannelPassages(const ChannelText& a,
                                                        std::span<const SymbolSpan> parts,
                                                        const ChannelText& b,
                                                        const PassageRules& rules,
                                                        const Cancellation& cancellation) {
  const WeightSums b_sums(b.weights);
  size_t size = 0;
  for (const SymbolSpan& symbols : parts) size += symbols.size();
  SeedFilter wanted(rules.seed, size);
  for (const auto& [begin, end] : parts) {
    wanted.Add(a.symbols.subspan(begin.value, end - begin));
  }
  SeedMatcher matcher(b.symbols, rules.seed, rules.source, &wanted);
  std::vector<ChannelPassage> passages;
  for (const SymbolSpan& symbols : parts) {
    const auto begin = static_cast<uint32_t>(symbols.begin.value);
    const ChannelText part = {a.symbols.subspan(begin, symbols.size()),
                              a.weights.subspan(begin, symbols.size())};
    const WeightSums sums(part.weights);
    ZHIWEN_ASSIGN_OR_RETURN(
        std::vector<ChannelPassage> found,
        MakeChannelPassages({part, sums}, {b, b_sums}, matcher.Find(part.symbols, cancellation),
                            rules, cancellation));
    for (ChannelPassage& passage : found) {
      for (PassageBlock& block : passage.blocks) {
        block.a_begin += begin;
        block.a_end += begin;
        for (SeedMatch& match : block.matches) match.a += begin;
      }
      passages.push_back(std::move(passage));
    }
  }
  return passages;
}

}  // namespace zhiwen
