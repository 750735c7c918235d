#include "pipeline/library/suspect_channel.h"

#include <algorithm>
#include <utility>

#include "base/utf8/utf8.h"
#include "feature/shingles.h"
#include "match/passages/channel_symbols.h"
#include "match/passages/word_rules.h"
#include "match/similarity.h"
#include "text/channel_view.h"
#include "text/fold.h"

namespace zhiwen {
namespace {

// A run makes a match of granules if it has kPassageRun symbols, and enough are disguised.
constexpr uint64_t kDisguisedSymbols = 3;
constexpr double kOtherWeight = 0.35;  // of a symbol that is Chinese in neither text
// Of granules one symbol in so many is disguised: in bulletins of a series a few others have the
// same first letter.
constexpr uint64_t kDisguisedOneIn = 20;

void ComputeSet(const Channel& channel, std::string_view utf8, ChannelSet& set,
                std::vector<uint64_t>& scratch) {
  set.symbols.clear();
  channel.view().ComputeInto(utf8, set.symbols);
  ComputeShingles(set.symbols, set.shingles);
  MakeShingleSet(set.shingles, scratch);
}

// Returns the number of ideographs of the basic block and of extension A.
uint64_t CountChinese(std::string_view utf8) {
  uint64_t count = 0;
  for (size_t at = 0; at + 2 < utf8.size(); ++at) {
    const auto lead = static_cast<uint8_t>(utf8[at]);
    const auto next = static_cast<uint8_t>(utf8[at + 1]);
    count += (lead == 0xE3 && next >= 0x90) || (lead >= 0xE4 && lead <= 0xE9) ? 1 : 0;
  }
  return count;
}

bool IsNumeral(std::string_view character) {
  constexpr std::string_view kNumerals = "〇零一二三四五六七八九十百千万亿两";
  const size_t at = kNumerals.find(character);
  return character.size() == 3 && at != std::string_view::npos && at % 3 == 0;
}

}  // namespace

ChannelSet ComputeChannelSet(const Channel& channel, std::string_view utf8) {
  ChannelSet set;
  std::vector<uint64_t> scratch;
  ComputeSet(channel, utf8, set, scratch);
  return set;
}

SuspectChannel::SuspectChannel(const Channel& channel, const PostingsIndex* index,
                               std::string_view text, ChannelSet set)
    : channel_(channel),
      index_(index),
      text_(text),
      set_(std::move(set)),
      blocks_(BlocksOf(set_.symbols)) {}

Result<std::span<const ByteSpan>> SuspectChannel::Spans() {
  if (!spanned_) {
    ZHIWEN_ASSIGN_OR_RETURN(spanned_, LocateSymbols(channel_, text_));
  }
  return std::span<const ByteSpan>(spanned_->spans);
}

Result<std::vector<uint64_t>> SuspectChannel::UncoveredBlocks(const std::vector<bool>& covered) {
  std::vector<uint64_t> blocks;
  std::span<const ByteSpan> spans;
  if (!covered.empty()) {
    ZHIWEN_ASSIGN_OR_RETURN(spans, Spans());
  }
  for (const BlockAt& block : blocks_) {
    if (!covered.empty() && covered[spans[block.begin.value].begin.value]) continue;
    blocks.push_back(block.hash);
  }
  return blocks;
}

void SuspectChannel::Read(std::string_view original) {
  original_.symbols.clear();
  channel_.view().ComputeInto(original, original_.symbols);
}

SetOverlap SuspectChannel::OverlapOfShingles() {
  ComputeShingles(original_.symbols, original_.shingles);
  MakeShingleSet(original_.shingles, scratch_);
  return ComputeOverlap(set_.shingles, original_.shingles);
}

bool SuspectChannel::SharesRun() {
  if (!runs_) runs_.emplace(set_.symbols, uint32_t{kPassageRun});
  return runs_->SharesRun(original_.symbols);
}

Result<std::vector<ChannelPassage>> SuspectChannel::FindPassages(double least_score,
                                                                 const Cancellation& cancellation) {
  if (!sums_) {
    ZHIWEN_ASSIGN_OR_RETURN(const std::span<const ByteSpan> spans, Spans());
    // A sound in letters may be one of a character in the other text.
    weights_ = channel_.view().reads_chinese_only() ? std::vector<float>(spans.size(), 1)
                                                    : WeighSymbols(channel_, text_, spans);
    sums_.emplace(weights_);
  }
  const PassageRules rules = FitToWords(RulesOfChannel(channel_.name(), least_score), *sums_);
  if (!seeds_) seeds_.emplace(set_.symbols, rules.seed, uint32_t{kPassageBlock});
  if (weightless_.symbols() < original_.symbols.size()) {
    weightless_ = WeightSums(std::vector<float>(original_.symbols.size() * 2));
  }
  return MakeChannelPassages({{set_.symbols, weights_}, *sums_},
                             {{original_.symbols, {}}, weightless_},
                             seeds_->Find(original_.symbols), rules, cancellation);
}

Status SuspectChannel::AppendStretches(const ChannelPassage& passage,
                                       std::vector<ByteSpan>& stretches) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::span<const ByteSpan> spans, Spans());
  for (const PassageBlock& block : passage.blocks) {
    for (const SeedMatch& match : block.matches) {
      stretches.push_back({spans[match.a].begin, spans[match.a + match.length - 1].end});
    }
  }
  return {};
}

double SuspectChannel::Weight(const SharedRun& run, std::string_view original) const {
  const auto symbols = static_cast<double>(run.a_symbols.size());
  const uint64_t chinese =
      std::max(CountChinese(text_.substr(run.a_bytes.begin.value, run.a_bytes.size())),
               CountChinese(original.substr(run.b_bytes.begin.value, run.b_bytes.size())));
  const double whole = std::min(symbols, static_cast<double>(chinese));
  return whole + kOtherWeight * (symbols - whole);
}

// Returns how many symbols of a run are written in another way in the two texts, which width, case
// and script do not make, and which is no other numeral; at most `most`.
uint64_t SuspectChannel::CountDisguised(const SharedRun& run, std::string_view original,
                                        std::span<const ByteSpan> spans, uint64_t most) const {
  uint64_t count = 0;
  std::vector<uint32_t> one, other;
  for (uint64_t i = 0; i < run.a_symbols.size() && count < most; ++i) {
    const ByteSpan& a = spanned_->spans[run.a_symbols.begin.value + i];
    const ByteSpan& b = spans[run.b_symbols.begin.value + i];
    const std::string_view in_text = text_.substr(a.begin.value, a.size());
    const std::string_view in_original = original.substr(b.begin.value, b.size());
    if (in_text == in_original || (IsNumeral(in_text) && IsNumeral(in_original))) continue;
    one.clear();
    other.clear();
    FoldInto(in_text, one);
    FoldInto(in_original, other);
    count += one != other ? 1 : 0;
  }
  return count;
}

Result<bool> SuspectChannel::Confirms(std::string_view original, const Comparison& comparison) {
  ZHIWEN_RETURN_IF_ERROR(Spans());
  ZHIWEN_ASSIGN_OR_RETURN(const SpannedSymbols read, LocateSymbols(channel_, original));
  return std::ranges::any_of(comparison.runs, [&](const SharedRun& run) {
    const uint64_t least =
        std::max(kDisguisedSymbols, (run.a_symbols.size() + kDisguisedOneIn - 1) / kDisguisedOneIn);
    return Weight(run, original) >= double{kPassageRun} &&
           CountDisguised(run, original, read.spans, least) == least;
  });
}

}  // namespace zhiwen
