#include "zhiwen/passages.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <iterator>
#include <map>
#include <utility>

#include "base/utf8/code_point_table.h"
#include "base/utf8/text_encoding.h"
#include "base/utf8/utf8.h"
#include "match/passages/aligned_symbols.h"
#include "match/passages/channel_passages.h"
#include "match/passages/channel_symbols.h"
#include "match/passages/edit_script.h"
#include "match/passages/passage_parts.h"
#include "match/passages/word_rules.h"
#include "text/channel_view.h"

namespace zhiwen {
namespace {

// A name that is replaced: both names have at least two characters, it is replaced so often, and
// most of its places, and of those of the new name, are replaced ones.
constexpr uint64_t kLeastRenamings = 3;
constexpr uint64_t kLeastPointsOfName = 2, kMostSymbolsOfName = 6;
constexpr double kLeastShareOfName = 0.6;
constexpr size_t kMostNames = 256;
// A channel that explains nearly as much as the best one, and comes before it, is preferred.
constexpr double kAsGood = 0.97;
constexpr size_t kMostGroups = 64;  // that a passage is compared with
// Symbols beside a part of a text that may belong to passages of the part: more than passages are
// joined over, or grow.
constexpr size_t kBesidePart = 500;

// Both texts on one channel.
struct ChannelTexts {
  const ChannelSymbols* a;
  const ChannelSymbols* b;
};

// A block with its channel and its bytes.
struct FoundBlock {
  size_t channel = 0;
  PassageBlock block = {};
  ByteSpan a = {}, b = {};
};

struct FoundPassage {
  size_t channel = 0;  // that explains most of it
  double score = 0;
  uint64_t matched = 0;  // bytes of a in symbols of equal stretches
  ByteSpan a = {}, b = {};
  std::vector<FoundBlock> blocks = {};
};

bool AreOverlapping(const ByteSpan& x, const ByteSpan& y) {
  return x.begin < y.end && y.begin < x.end;
}

void Widen(ByteSpan& span, const ByteSpan& by) {
  span.begin = std::min(span.begin, by.begin);
  span.end = std::max(span.end, by.end);
}

// Which bytes of a are in a block of a passage.
class CoveredBytes {
 public:
  explicit CoveredBytes(size_t size) : by_any_(size) {}

  void BeginPassage() { own_.clear(); }

  // Takes the bytes of a block of the passage. Returns whether they are free: none is in another
  // block of it, and at most half are in other passages.
  bool Take(const ByteSpan& bytes) {
    const auto next = own_.lower_bound(bytes.end.value);
    if (next != own_.begin() && std::prev(next)->second > bytes.begin.value) return false;
    const auto begin = by_any_.begin() + static_cast<ptrdiff_t>(bytes.begin.value);
    const auto end = by_any_.begin() + static_cast<ptrdiff_t>(bytes.end.value);
    const auto covered = static_cast<uint64_t>(std::count(begin, end, true));
    if (covered * 2 > bytes.size()) return false;
    std::fill(begin, end, true);
    own_.emplace(bytes.begin.value, bytes.end.value);
    return true;
  }

 private:
  std::vector<bool> by_any_;
  std::map<uint64_t, uint64_t> own_;  // begin → end, of the blocks of the passage
};

}  // namespace

// What is kept of a text.
struct PassageSearch::Suspect {
  Suspect(std::string_view utf8, const PassageOptions& given)
      : text(utf8),
        whole{{0}, {utf8.size()}},
        options(given),
        points(utf8),
        kinds(options.channels) {}

  // Reads the text on the next channel, where that was not done.
  Status ReadOn(size_t channel) {
    if (channel < symbols.size()) return {};
    ZHIWEN_ASSIGN_OR_RETURN(ChannelSymbols read,
                            ChannelSymbols::Create(options.channels[channel], text));
    symbols.push_back(std::move(read));
    return {};
  }

  std::string_view text;
  const ByteSpan whole;  // of it
  const PassageOptions options;
  const CodePointTable points;
  StretchKinds kinds;
  std::deque<ChannelSymbols> symbols = {};  // of the channels that were needed so far
};

namespace {

class PassageFinder {
 public:
  // With kEarlier both are the same.
  PassageFinder(PassageSearch::Suspect& suspect, std::span<const ByteSpan> parts,
                PassageSearch::Suspect& original, PassageSource source,
                const Cancellation& cancellation)
      : suspect_(suspect),
        parts_(parts),
        original_(original),
        a_(suspect.text),
        b_(original.text),
        options_(suspect.options),
        a_points_(suspect.points),
        source_(source),
        cancellation_(cancellation),
        kinds_(suspect.kinds) {}

  Result<PassageComparison> Find() {
    ZHIWEN_RETURN_IF_ERROR(ReadOn(0));
    PassageComparison comparison;
    comparison.a_symbols = texts_.front().a->symbols().size();
    comparison.b_symbols = texts_.front().b->symbols().size();
    ZHIWEN_ASSIGN_OR_RETURN(comparison.passages, FindOnce());
    if (source_ == PassageSource::kOther) comparison.renamed = FindRenamings(comparison.passages);
    if (!comparison.renamed.empty()) {
      std::vector<ChannelSymbols> undone;
      undone.reserve(texts_.size());
      for (size_t i = 0; i < texts_.size(); ++i) {
        undone.push_back(*texts_[i].a);
        undone[i].Undo(options_.channels[i], comparison.renamed);
        texts_[i].a = &undone[i];
      }
      ZHIWEN_ASSIGN_OR_RETURN(comparison.passages, FindOnce());
      for (size_t i = 0; i < undone.size(); ++i) texts_[i].a = &suspect_.symbols[i];
      CountRenamings(comparison);
    }
    CountMatched(comparison);
    SetExpected(comparison.a_symbols, comparison.b_symbols, comparison.passages, {});
    comparison.channels = texts_.size();
    return comparison;
  }

 private:
  Status ReadOn(size_t channel);
  bool HaveParts(std::span<const FoundPassage> found) const;
  bool AreSame() const;
  FoundPassage WholeTexts() const;
  Result<std::vector<CopiedPassage>> FindOnce();
  Result<std::vector<FoundPassage>> FindOn(size_t channel) const;
  static std::vector<std::vector<FoundPassage>> Group(std::vector<FoundPassage> found);
  static FoundPassage MergeGroup(std::vector<FoundPassage> group, CoveredBytes& covered);
  std::vector<FoundPassage> Merge(std::vector<FoundPassage> found) const;
  CopiedPassage Explain(const FoundPassage& found);
  PassageKind KindOf(const CopiedPassage& passage) const;
  bool HasTextBetweenPieces(const CopiedPassage& passage, PassageSide side) const;
  std::vector<Renaming> FindRenamings(std::span<const CopiedPassage> passages) const;
  void KeepNames(std::span<const CopiedPassage> passages, std::vector<Renaming>& renamed) const;
  std::vector<uint64_t> CountNames(const ChannelSymbols& symbols,
                                   std::span<const CopiedPassage> passages,
                                   ByteSpan PassagePiece::*side, std::span<const Renaming> renamed,
                                   std::string Renaming::*name) const;
  void CountRenamings(PassageComparison& comparison) const;
  void CountMatched(PassageComparison& comparison) const;
  std::string_view InA(const ByteSpan& bytes) const {
    return a_.substr(bytes.begin.value, bytes.size());
  }
  std::string_view InB(const ByteSpan& bytes) const {
    return b_.substr(bytes.begin.value, bytes.size());
  }

  PassageSearch::Suspect& suspect_;
  const std::span<const ByteSpan> parts_;  // of a, ascending
  PassageSearch::Suspect& original_;
  const std::string_view a_, b_;
  const PassageOptions& options_;
  const CodePointTable& a_points_;
  const PassageSource source_;
  const Cancellation& cancellation_;
  StretchKinds& kinds_;
  std::vector<ChannelTexts> texts_;  // of the channels that were needed so far
};

// Reads both texts on the next channel, where that was not done.
Status PassageFinder::ReadOn(size_t channel) {
  if (channel < texts_.size()) return {};
  ZHIWEN_RETURN_IF_ERROR(suspect_.ReadOn(channel));
  ZHIWEN_RETURN_IF_ERROR(original_.ReadOn(channel));
  texts_.push_back({&suspect_.symbols[channel], &original_.symbols[channel]});
  return {};
}

// Returns whether passages have nearly all of the parts: further channels could not explain more.
bool PassageFinder::HaveParts(std::span<const FoundPassage> found) const {
  uint64_t matched = 0, bytes = 0;
  for (const FoundPassage& one : found) matched += one.matched;
  for (const auto& [begin, end] : texts_.front().a->SymbolsOf(parts_, 0)) {
    bytes += texts_.front().a->BytesIn(static_cast<uint32_t>(begin.value),
                                       static_cast<uint32_t>(end.value));
  }
  return static_cast<double>(matched) >= kAsGood * static_cast<double>(bytes);
}

// Returns whether both are one text on the first channel.
bool PassageFinder::AreSame() const {
  const ChannelTexts& texts = texts_.front();
  return source_ == PassageSource::kOther && !texts.a->symbols().empty() &&
         texts.a->symbols() == texts.b->symbols();
}

// Returns both texts as a passage of one piece. They are the same.
FoundPassage PassageFinder::WholeTexts() const {
  const ChannelTexts& texts = texts_.front();
  const auto end = static_cast<uint32_t>(texts.a->symbols().size());
  const ByteSpan a = texts.a->HullOf(0, end), b = texts.b->HullOf(0, end);
  const double score = WeightSums(texts.a->text().weights).Of(0, end);
  const PassageBlock block = {
      .a_end = end, .b_end = end, .score = score, .matches = {{.a = 0, .b = 0, .length = end}}};
  return {.score = score,
          .matched = texts.a->BytesIn(0, end),
          .a = a,
          .b = b,
          .blocks = {{.block = block, .a = a, .b = b}}};
}

Result<std::vector<FoundPassage>> PassageFinder::FindOn(size_t channel) const {
  const ChannelTexts& texts = texts_[channel];
  PassageRules rules =
      FitToWords(RulesOfChannel(options_.channels[channel].name(), options_.least_score),
                 WeightSums(texts.a->text().weights));
  rules.source = source_;
  ZHIWEN_ASSIGN_OR_RETURN(
      std::vector<ChannelPassage> passages,
      FindChannelPassages(texts.a->text(), texts.a->SymbolsOf(parts_, kBesidePart), texts.b->text(),
                          rules, cancellation_));
  std::vector<FoundPassage> found;
  for (ChannelPassage& passage : passages) {
    FoundPassage one = {.channel = channel, .score = passage.score};
    for (PassageBlock& block : passage.blocks) {
      for (const SeedMatch& match : block.matches) {
        one.matched += texts.a->BytesIn(match.a, match.a + match.length);
      }
      FoundBlock with_bytes = {.channel = channel,
                               .a = texts.a->HullOf(block.a_begin, block.a_end),
                               .b = texts.b->HullOf(block.b_begin, block.b_end)};
      if (one.blocks.empty()) {
        one.a = with_bytes.a;
        one.b = with_bytes.b;
      }
      Widen(one.a, with_bytes.a);
      Widen(one.b, with_bytes.b);
      with_bytes.block = std::move(block);
      one.blocks.push_back(std::move(with_bytes));
    }
    found.push_back(std::move(one));
  }
  return found;
}

// Puts passages together that overlap in both texts, or in what lies between.
std::vector<std::vector<FoundPassage>> PassageFinder::Group(std::vector<FoundPassage> found) {
  std::ranges::stable_sort(found, {}, [](const FoundPassage& one) { return one.a.begin; });
  std::vector<std::vector<FoundPassage>> groups;
  std::vector<FoundPassage> hulls;
  for (FoundPassage& one : found) {
    size_t group = groups.size();
    for (size_t back = 1; back <= std::min(groups.size(), kMostGroups); ++back) {
      const FoundPassage& hull = hulls[groups.size() - back];
      if (!AreOverlapping(hull.a, one.a) || !AreOverlapping(hull.b, one.b)) continue;
      group = groups.size() - back;
      break;
    }
    if (group == groups.size()) {
      groups.emplace_back();
      hulls.push_back({.a = one.a, .b = one.b});
    }
    Widen(hulls[group].a, one.a);
    Widen(hulls[group].b, one.b);
    groups[group].push_back(std::move(one));
  }
  return groups;
}

// Makes one passage of a group, as long as all of them. The one that explains most of it comes with
// its blocks, the others with those that lie elsewhere.
FoundPassage PassageFinder::MergeGroup(std::vector<FoundPassage> group, CoveredBytes& covered) {
  uint64_t most = 0;
  for (const FoundPassage& one : group) most = std::max(most, one.matched);
  const auto is_as_good = [&](const FoundPassage& one) {
    return static_cast<double>(one.matched) >= kAsGood * static_cast<double>(most);
  };
  std::ranges::stable_sort(group, [&](const FoundPassage& x, const FoundPassage& y) {
    if (is_as_good(x) != is_as_good(y)) return is_as_good(x);
    return is_as_good(x) ? x.channel < y.channel : x.matched > y.matched;
  });
  FoundPassage merged = {.channel = group.front().channel,
                         .score = group.front().score,
                         .matched = group.front().matched,
                         .a = group.front().a,
                         .b = group.front().b};
  covered.BeginPassage();
  for (FoundPassage& one : group) {
    Widen(merged.a, one.a);
    Widen(merged.b, one.b);
    for (FoundBlock& block : one.blocks) {
      if (covered.Take(block.a)) merged.blocks.push_back(std::move(block));
    }
  }
  std::ranges::stable_sort(merged.blocks, {}, [](const FoundBlock& one) { return one.a.begin; });
  return merged;
}

// Makes one passage of those that overlap in both texts. Of passages that lie in the same place of
// a and in different ones of b, the one that explains most is kept.
std::vector<FoundPassage> PassageFinder::Merge(std::vector<FoundPassage> found) const {
  std::vector<std::vector<FoundPassage>> groups = Group(std::move(found));
  std::ranges::stable_sort(groups, std::greater(), [](const std::vector<FoundPassage>& group) {
    return std::ranges::max(group, {}, &FoundPassage::matched).matched;
  });
  CoveredBytes covered(a_.size());
  std::vector<FoundPassage> merged;
  for (std::vector<FoundPassage>& group : groups) {
    FoundPassage one = MergeGroup(std::move(group), covered);
    if (!one.blocks.empty()) merged.push_back(std::move(one));
  }
  std::ranges::stable_sort(merged, {}, [](const FoundPassage& one) { return one.a.begin; });
  return merged;
}

CopiedPassage PassageFinder::Explain(const FoundPassage& found) {
  CopiedPassage passage = {.a_bytes = found.a,
                           .b_bytes = found.b,
                           .channel = options_.channels[found.channel].name(),
                           .score = found.score};
  uint64_t in_a = 0, in_b = 0;  // symbols of the pieces
  for (const FoundBlock& block : found.blocks) {
    const ChannelTexts& texts = texts_[block.channel];
    const std::vector<AlignedSymbols> pairs =
        AlignBlock(texts.a->symbols(), texts.b->symbols(), block.block);
    const EditKind of_equal = KindUndoneBy(options_.channels[block.channel].name());
    passage.pieces.push_back({block.a, block.b});
    ExplainedBlock explained = EditExplainer(*texts.a, *texts.b, of_equal, kinds_).Explain(pairs);
    std::ranges::move(explained.edits, std::back_inserter(passage.edits));
    passage.matched += explained.matched;
    in_a += block.block.a_end - block.block.a_begin;
    in_b += block.block.b_end - block.block.b_begin;
  }
  const uint64_t longer = std::max<uint64_t>({in_a, in_b, 1});
  passage.similarity = static_cast<double>(passage.matched) / static_cast<double>(longer);
  passage.kind = KindOf(passage);
  return passage;
}

// Returns what was done to a passage: by its edits, and by what no piece has of it.
PassageKind PassageFinder::KindOf(const CopiedPassage& passage) const {
  const auto b_begin = [](const PassagePiece& piece) { return piece.b_bytes.begin; };
  if (!std::ranges::is_sorted(passage.pieces, {}, b_begin)) return PassageKind::kEdited;
  const bool has_more = HasTextBetweenPieces(passage, PassageSide::kA) ||
                        HasTextBetweenPieces(passage, PassageSide::kB);
  return has_more ? PassageKind::kEdited : KindOfEdits(passage.edits);
}

// Returns whether a passage has symbols of the first channel that are in none of its pieces.
bool PassageFinder::HasTextBetweenPieces(const CopiedPassage& passage, PassageSide side) const {
  std::vector<ByteSpan> pieces;
  pieces.reserve(passage.pieces.size());
  for (const PassagePiece& piece : passage.pieces) pieces.push_back(BytesIn(side, piece));
  std::ranges::sort(pieces, {}, &ByteSpan::begin);
  const ByteSpan whole = BytesIn(side, passage);
  const bool is_a = side == PassageSide::kA;
  const std::vector<ByteSpan>& spans = is_a ? texts_.front().a->spans() : texts_.front().b->spans();
  auto symbol = std::ranges::lower_bound(spans, whole.begin, {}, &ByteSpan::begin);
  auto piece = pieces.begin();
  for (; symbol != spans.end() && symbol->begin < whole.end; ++symbol) {
    while (piece != pieces.end() && piece->end <= symbol->begin) ++piece;
    if (piece == pieces.end() || symbol->begin < piece->begin) return true;
  }
  return false;
}

Result<std::vector<CopiedPassage>> PassageFinder::FindOnce() {
  std::vector<FoundPassage> found;
  for (size_t channel = 0; channel < options_.channels.size(); ++channel) {
    ZHIWEN_RETURN_IF_ERROR(cancellation_.Check());
    ZHIWEN_RETURN_IF_ERROR(ReadOn(channel));
    ZHIWEN_ASSIGN_OR_RETURN(std::vector<FoundPassage> on_channel, FindOn(channel));
    std::ranges::move(on_channel, std::back_inserter(found));
    if (channel == 0 && (HaveParts(found) || AreSame())) break;
  }
  std::vector<FoundPassage> merged = Merge(std::move(found));
  if (merged.empty() && AreSame()) merged.push_back(WholeTexts());
  std::vector<CopiedPassage> passages;
  for (const FoundPassage& one : merged) {
    ZHIWEN_RETURN_IF_ERROR(cancellation_.Check());
    passages.push_back(Explain(one));
    passages.back().a_points = a_points_.Of(one.a);
    passages.back().b_points = original_.points.Of(one.b);
  }
  return passages;
}

// Returns what is replaced by the same again and again, the most frequent first.
std::vector<Renaming> PassageFinder::FindRenamings(std::span<const CopiedPassage> passages) const {
  std::map<std::pair<std::string_view, std::string_view>, uint64_t> replaced;  // in b, in a
  for (const CopiedPassage& passage : passages) {
    for (const PassageEdit& edit : passage.edits) {
      if (edit.kind != EditKind::kSubstituted || edit.symbols > kMostSymbolsOfName) continue;
      const std::string_view in_b = InB(edit.b_bytes), in_a = InA(edit.a_bytes);
      if (std::min(CountCodePoints(in_b), CountCodePoints(in_a)) < kLeastPointsOfName) continue;
      ++replaced[{in_b, in_a}];
    }
  }
  std::vector<Renaming> renamed;
  for (const auto& [names, count] : replaced) {
    if (count < kLeastRenamings) continue;
    renamed.push_back({std::string(names.first), std::string(names.second), count});
  }
  std::ranges::stable_sort(renamed, std::greater(), &Renaming::count);
  renamed.resize(std::min(renamed.size(), kMostNames));
  if (!renamed.empty()) KeepNames(passages, renamed);
  return renamed;
}

// Leaves out renamings of names that both texts have, too.
void PassageFinder::KeepNames(std::span<const CopiedPassage> passages,
                              std::vector<Renaming>& renamed) const {
  const std::vector<uint64_t> in_a =
      CountNames(*texts_.front().a, passages, &PassagePiece::a_bytes, renamed, &Renaming::in_a);
  const std::vector<uint64_t> in_b =
      CountNames(*texts_.front().b, passages, &PassagePiece::b_bytes, renamed, &Renaming::in_b);
  std::vector<Renaming> kept;
  for (size_t i = 0; i < renamed.size(); ++i) {
    const auto least = kLeastShareOfName * static_cast<double>(std::max(in_a[i], in_b[i]));
    if (static_cast<double>(renamed[i].count) >= least) kept.push_back(std::move(renamed[i]));
  }
  renamed = std::move(kept);
}

// Counts the places of names in the pieces of passages. Of names that are one on the first channel
// each has the places of all.
std::vector<uint64_t> PassageFinder::CountNames(const ChannelSymbols& symbols,
                                                std::span<const CopiedPassage> passages,
                                                ByteSpan PassagePiece::*side,
                                                std::span<const Renaming> renamed,
                                                std::string Renaming::*name) const {
  std::map<std::vector<uint32_t>, size_t> numbers;
  std::vector<std::vector<uint32_t>> names;
  std::vector<size_t> number_of;
  for (const Renaming& one : renamed) {
    std::vector<uint32_t> of_name;
    options_.channels.front().view().ComputeInto(one.*name, of_name);
    const auto [known, is_new] = numbers.emplace(of_name, names.size());
    if (is_new) names.push_back(std::move(of_name));
    number_of.push_back(known->second);
  }
  std::vector<uint64_t> counts(names.size());
  const NameFinder finder(std::move(names));
  for (const CopiedPassage& passage : passages) {
    for (const PassagePiece& piece : passage.pieces) {
      const ByteSpan& bytes = piece.*side;
      const auto first =
          std::ranges::lower_bound(symbols.spans(), bytes.begin, {}, &ByteSpan::begin);
      auto at = static_cast<size_t>(first - symbols.spans().begin());
      while (at < symbols.spans().size() && symbols.spans()[at].begin < bytes.end) {
        const size_t found = finder.FindAt(std::span(symbols.symbols()).subspan(at));
        if (found != NameFinder::kNone) ++counts[found];
        at += found == NameFinder::kNone ? 1 : finder.SizeOf(found);
      }
    }
  }
  std::vector<uint64_t> of_renamings;
  of_renamings.reserve(number_of.size());
  for (const size_t number : number_of) of_renamings.push_back(counts[number]);
  return of_renamings;
}

// Counts how often each name is replaced in passages that were found with it undone.
void PassageFinder::CountRenamings(PassageComparison& comparison) const {
  std::map<std::string_view, size_t> numbers;  // by the name in b
  for (size_t i = 0; i < comparison.renamed.size(); ++i) {
    comparison.renamed[i].count = 0;
    numbers.emplace(comparison.renamed[i].in_b, i);
  }
  for (const CopiedPassage& passage : comparison.passages) {
    for (const PassageEdit& edit : passage.edits) {
      if (edit.kind != EditKind::kRenamed) continue;
      const auto number = numbers.find(InB(edit.b_bytes));
      if (number != numbers.end()) ++comparison.renamed[number->second].count;
    }
  }
  std::erase_if(comparison.renamed, [](const Renaming& one) { return one.count == 0; });
  std::ranges::stable_sort(comparison.renamed, std::greater(), &Renaming::count);
}

// Counts what passages have of both texts, and what was done to it.
void PassageFinder::CountMatched(PassageComparison& comparison) const {
  for (const CopiedPassage& passage : comparison.passages) {
    for (const PassageEdit& edit : passage.edits) {
      comparison.edits[static_cast<size_t>(edit.kind)] += edit.symbols;
    }
  }
  const auto& [a, b] = texts_.front();
  comparison.a_matched = comparison.a_matched_before =
      CountMatchedSymbols(PassageSide::kA, comparison.passages, a->spans());
  comparison.b_matched = comparison.b_matched_before =
      CountMatchedSymbols(PassageSide::kB, comparison.passages, b->spans());
}

}  // namespace

PassageSearch::PassageSearch(std::unique_ptr<Suspect> suspect) : suspect_(std::move(suspect)) {}
PassageSearch::PassageSearch(PassageSearch&&) noexcept = default;
PassageSearch::~PassageSearch() = default;

Result<PassageSearch> PassageSearch::Create(std::string_view text, const PassageOptions& options) {
  ZHIWEN_RETURN_IF_ERROR(CheckUtf8(text, options.a_name));
  return PassageSearch(std::make_unique<Suspect>(text, options));
}

Result<PassageComparison> PassageSearch::Find(std::string_view b,
                                              const Cancellation& cancellation) {
  return Find(b, {&suspect_->whole, 1}, cancellation);
}

Result<PassageComparison> PassageSearch::Find(std::string_view b, std::span<const ByteSpan> parts,
                                              const Cancellation& cancellation) {
  ZHIWEN_RETURN_IF_ERROR(CheckUtf8(b, suspect_->options.b_name));
  Suspect original(b, suspect_->options);
  return PassageFinder(*suspect_, parts, original, PassageSource::kOther, cancellation).Find();
}

Status PassageSearch::Prepare() {
  for (size_t channel = 0; channel < suspect_->options.channels.size(); ++channel) {
    ZHIWEN_RETURN_IF_ERROR(suspect_->ReadOn(channel));
  }
  return {};
}

Result<PassageComparison> PassageSearch::Find(const PassageSearch& b,
                                              const Cancellation& cancellation) {
  return PassageFinder(*suspect_, {&suspect_->whole, 1}, *b.suspect_, PassageSource::kOther,
                       cancellation)
      .Find();
}

Result<PassageComparison> PassageSearch::FindRepeats(const Cancellation& cancellation) {
  return PassageFinder(*suspect_, {&suspect_->whole, 1}, *suspect_, PassageSource::kEarlier,
                       cancellation)
      .Find();
}

bool PassageSearch::can_have_passage() const {
  const std::span<const float> weights = suspect_->symbols.front().text().weights;
  const double all = WeightSums(weights).Of(0, static_cast<uint32_t>(weights.size()));
  return all >= suspect_->options.least_score;
}

std::span<const uint32_t> PassageSearch::symbols(size_t channel) const {
  return suspect_->symbols[channel].symbols();
}

Result<PassageComparison> FindPassages(std::string_view a, std::string_view b,
                                       const PassageOptions& options,
                                       const Cancellation& cancellation) {
  ZHIWEN_ASSIGN_OR_RETURN(PassageSearch search, PassageSearch::Create(a, options));
  return search.Find(b, cancellation);
}

}  // namespace zhiwen
