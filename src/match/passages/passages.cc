#include "zhiwen/passages.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/utf8/code_point_table.h"
#include "base/utf8/text_encoding.h"
#include "match/passages/aligned_symbols.h"
#include "match/passages/channel_passages.h"
#include "match/passages/channel_symbols.h"
#include "match/passages/edit_script.h"

namespace zhiwen {
namespace {

// A name that is replaced: it has at least two symbols, and is replaced so often, and seldom by
// anything else.
constexpr uint64_t kLeastRenamings = 3;
constexpr uint64_t kLeastSymbolsOfName = 2, kMostSymbolsOfName = 6;
constexpr double kLeastShareOfName = 0.6;
// A channel that explains nearly as much as the best one, and comes before it, is preferred.
constexpr double kAsGood = 0.97;

// Both texts on one channel.
struct ChannelTexts {
  const ChannelSymbols* a;
  ChannelSymbols b;
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
  uint64_t matched = 0;  // bytes of a in equal stretches
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

uint64_t CommonBytes(const ByteSpan& x, const ByteSpan& y) {
  const ByteOffset begin = std::max(x.begin, y.begin), end = std::min(x.end, y.end);
  return begin < end ? end - begin : 0;
}

}  // namespace

// What is kept of a text whose passages are looked for.
struct PassageSearch::Suspect {
  Suspect(std::string_view utf8, const PassageOptions& given)
      : text(utf8), options(given), points(utf8), kinds(options.channels) {}

  std::string_view text;
  const PassageOptions options;
  const CodePointTable points;
  StretchKinds kinds;
  std::vector<ChannelSymbols> symbols = {};  // by channel
};

namespace {

class PassageFinder {
 public:
  PassageFinder(std::string_view a, std::string_view b, const PassageOptions& options,
                const CodePointTable& a_points, StretchKinds& kinds,
                const Cancellation& cancellation)
      : a_(a),
        b_(b),
        options_(options),
        a_points_(a_points),
        cancellation_(cancellation),
        kinds_(kinds) {}

  Result<PassageComparison> Find(std::span<const ChannelSymbols> a_symbols) {
    for (size_t i = 0; i < a_symbols.size(); ++i) {
      ZHIWEN_ASSIGN_OR_RETURN(ChannelSymbols b, ChannelSymbols::Create(options_.channels[i], b_));
      texts_.push_back({&a_symbols[i], std::move(b)});
      ZHIWEN_RETURN_IF_ERROR(cancellation_.Check());
    }
    PassageComparison comparison;
    comparison.a_symbols = a_symbols.front().symbols().size();
    comparison.b_symbols = texts_.front().b.symbols().size();
    ZHIWEN_ASSIGN_OR_RETURN(comparison.passages, FindOnce());
    comparison.renamed = FindRenamings(comparison.passages);
    if (!comparison.renamed.empty()) {
      std::vector<ChannelSymbols> undone(a_symbols.begin(), a_symbols.end());
      for (size_t i = 0; i < undone.size(); ++i) {
        undone[i].Undo(options_.channels[i], comparison.renamed);
        texts_[i].a = &undone[i];
      }
      ZHIWEN_ASSIGN_OR_RETURN(comparison.passages, FindOnce());
      for (size_t i = 0; i < undone.size(); ++i) texts_[i].a = &a_symbols[i];
    }
    CountMatched(comparison);
    return comparison;
  }

 private:
  Result<std::vector<CopiedPassage>> FindOnce();
  std::vector<FoundPassage> FindOn(size_t channel) const;
  std::vector<FoundPassage> Merge(std::vector<FoundPassage> found) const;
  CopiedPassage Explain(const FoundPassage& found);
  std::vector<Renaming> FindRenamings(std::span<const CopiedPassage> passages) const;
  void CountMatched(PassageComparison& comparison) const;
  std::string_view InA(const ByteSpan& bytes) const {
    return a_.substr(bytes.begin.value, bytes.size());
  }
  std::string_view InB(const ByteSpan& bytes) const {
    return b_.substr(bytes.begin.value, bytes.size());
  }

  const std::string_view a_, b_;
  const PassageOptions& options_;
  const CodePointTable& a_points_;
  const Cancellation& cancellation_;
  StretchKinds& kinds_;
  std::vector<ChannelTexts> texts_;  // by channel
};

std::vector<FoundPassage> PassageFinder::FindOn(size_t channel) const {
  const ChannelTexts& texts = texts_[channel];
  std::vector<FoundPassage> found;
  for (ChannelPassage& passage : FindChannelPassages(
           texts.a->text(), texts.b.text(),
           RulesOfChannel(options_.channels[channel].name(), options_.least_score))) {
    FoundPassage one = {.channel = channel, .score = passage.score};
    for (PassageBlock& block : passage.blocks) {
      for (const SeedMatch& match : block.matches) {
        one.matched += texts.a->HullOf(match.a, match.a + match.length).size();
      }
      FoundBlock with_bytes = {.channel = channel,
                               .a = texts.a->HullOf(block.a_begin, block.a_end),
                               .b = texts.b.HullOf(block.b_begin, block.b_end)};
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

// Makes one passage of those that overlap in both texts. The one that explains most of it comes
// with its blocks, the others with those that lie elsewhere.
std::vector<FoundPassage> PassageFinder::Merge(std::vector<FoundPassage> found) const {
  std::ranges::stable_sort(found, {}, [](const FoundPassage& one) { return one.a.begin; });
  std::vector<std::vector<FoundPassage>> groups;
  std::vector<FoundPassage> merged;  // hulls of the groups
  for (FoundPassage& one : found) {
    size_t group = groups.size();
    for (size_t back = 1; back <= std::min<size_t>(groups.size(), 64); ++back) {
      const FoundPassage& hull = merged[groups.size() - back];
      if (!AreOverlapping(hull.a, one.a) || !AreOverlapping(hull.b, one.b)) continue;
      group = groups.size() - back;
      break;
    }
    if (group == groups.size()) {
      groups.emplace_back();
      merged.push_back({.a = one.a, .b = one.b});
    }
    Widen(merged[group].a, one.a);
    Widen(merged[group].b, one.b);
    groups[group].push_back(std::move(one));
  }
  for (size_t i = 0; i < groups.size(); ++i) {
    std::vector<FoundPassage>& group = groups[i];
    uint64_t most = 0;
    for (const FoundPassage& one : group) most = std::max(most, one.matched);
    const auto is_as_good = [&](const FoundPassage& one) {
      return static_cast<double>(one.matched) >= kAsGood * static_cast<double>(most);
    };
    std::ranges::stable_sort(group, [&](const FoundPassage& x, const FoundPassage& y) {
      if (is_as_good(x) != is_as_good(y)) return is_as_good(x);
      return is_as_good(x) ? x.channel < y.channel : x.matched > y.matched;
    });
    merged[i].channel = group.front().channel;
    merged[i].score = group.front().score;
    merged[i].matched = group.front().matched;
    for (FoundPassage& one : group) {
      for (FoundBlock& block : one.blocks) {
        uint64_t covered = 0;
        for (const FoundBlock& kept : merged[i].blocks) covered += CommonBytes(kept.a, block.a);
        if (covered > 0 && one.channel != merged[i].channel) continue;
        merged[i].blocks.push_back(std::move(block));
      }
    }
    std::ranges::stable_sort(merged[i].blocks, {},
                             [](const FoundBlock& block) { return block.a.begin; });
  }
  return merged;
}

CopiedPassage PassageFinder::Explain(const FoundPassage& found) {
  CopiedPassage passage = {.a_bytes = found.a,
                           .b_bytes = found.b,
                           .channel = options_.channels[found.channel].name(),
                           .score = found.score};
  uint64_t longer = 0;
  for (const FoundBlock& block : found.blocks) {
    const ChannelTexts& texts = texts_[block.channel];
    const std::vector<AlignedSymbols> pairs =
        AlignBlock(texts.a->symbols(), texts.b.symbols(), block.block);
    const EditKind of_equal = KindUndoneBy(options_.channels[block.channel].name());
    passage.pieces.push_back({block.a, block.b});
    uint64_t edited = 0;
    for (PassageEdit& edit : EditExplainer(*texts.a, texts.b, of_equal, kinds_).Explain(pairs)) {
      edited += IsDisguise(edit.kind) ? 0 : edit.symbols;
      passage.edits.push_back(edit);
    }
    longer += pairs.size();
    passage.matched += pairs.size() - std::min<uint64_t>(edited, pairs.size());
  }
  passage.similarity =
      longer == 0 ? 0 : static_cast<double>(passage.matched) / static_cast<double>(longer);
  for (const PassageEdit& edit : passage.edits) {
    PassageKind kind = PassageKind::kDisguised;
    if (edit.kind == EditKind::kRenamed) kind = PassageKind::kRenamed;
    if (edit.kind == EditKind::kSymbols) kind = PassageKind::kVerbatim;
    if (!IsDisguise(edit.kind)) kind = PassageKind::kEdited;
    passage.kind = std::max(passage.kind, kind);
  }
  return passage;
}

Result<std::vector<CopiedPassage>> PassageFinder::FindOnce() {
  std::vector<FoundPassage> found;
  for (size_t channel = 0; channel < texts_.size(); ++channel) {
    ZHIWEN_RETURN_IF_ERROR(cancellation_.Check());
    for (FoundPassage& one : FindOn(channel)) found.push_back(std::move(one));
  }
  const CodePointTable b_points(b_);
  std::vector<CopiedPassage> passages;
  for (const FoundPassage& one : Merge(std::move(found))) {
    ZHIWEN_RETURN_IF_ERROR(cancellation_.Check());
    passages.push_back(Explain(one));
    passages.back().a_points = a_points_.Of(one.a);
    passages.back().b_points = b_points.Of(one.b);
  }
  return passages;
}

// Returns what is replaced by the same again and again.
std::vector<Renaming> PassageFinder::FindRenamings(std::span<const CopiedPassage> passages) const {
  std::map<std::string_view, std::map<std::string_view, uint64_t>> replaced;  // in b → in a
  for (const CopiedPassage& passage : passages) {
    for (const PassageEdit& edit : passage.edits) {
      if (edit.kind != EditKind::kSubstituted) continue;
      if (edit.symbols < kLeastSymbolsOfName || edit.symbols > kMostSymbolsOfName) continue;
      ++replaced[InB(edit.b_bytes)][InA(edit.a_bytes)];
    }
  }
  std::vector<Renaming> renamed;
  for (const auto& [in_b, by] : replaced) {
    uint64_t all = 0;
    const auto* most = &*by.begin();
    for (const auto& one : by) {
      all += one.second;
      if (one.second > most->second) most = &one;
    }
    if (most->second < kLeastRenamings) continue;
    if (static_cast<double>(most->second) < kLeastShareOfName * static_cast<double>(all)) continue;
    renamed.push_back({std::string(in_b), std::string(most->first), most->second});
  }
  std::ranges::stable_sort(renamed, std::greater(), &Renaming::count);
  return renamed;
}

// Counts what passages have of both texts, and what was done to it.
void PassageFinder::CountMatched(PassageComparison& comparison) const {
  std::vector<bool> in_a(a_.size()), in_b(b_.size());
  const auto mark = [](std::vector<bool>& bytes, const ByteSpan& span, bool is_in) {
    std::fill(bytes.begin() + static_cast<ptrdiff_t>(span.begin.value),
              bytes.begin() + static_cast<ptrdiff_t>(span.end.value), is_in);
  };
  for (const CopiedPassage& passage : comparison.passages) {
    for (const PassagePiece& piece : passage.pieces) {
      mark(in_a, piece.a_bytes, true);
      mark(in_b, piece.b_bytes, true);
    }
    for (const PassageEdit& edit : passage.edits) {
      comparison.edits[static_cast<size_t>(edit.kind)] += edit.symbols;
      if (IsDisguise(edit.kind)) continue;
      mark(in_a, edit.a_bytes, false);
      mark(in_b, edit.b_bytes, false);
    }
  }
  const auto count = [](const ChannelSymbols& symbols, const std::vector<bool>& bytes) {
    return static_cast<uint64_t>(std::ranges::count_if(
        symbols.spans(), [&](const ByteSpan& span) { return bytes[span.begin.value]; }));
  };
  comparison.a_matched = count(*texts_.front().a, in_a);
  comparison.b_matched = count(texts_.front().b, in_b);
}

}  // namespace

std::string_view EditKindName(EditKind kind) {
  static constexpr std::array<std::string_view, kEditKinds> kNames = {
      "form",  "symbols", "homophone",   "spelled",  "initial", "look_alike",
      "split", "renamed", "substituted", "inserted", "deleted"};
  return kNames[static_cast<size_t>(kind)];
}

EditWords WordsOf(EditKind kind) {
  static constexpr std::array<EditWords, kEditKinds> kWords = {{{"异形", "other form"},
                                                                {"符号", "punctuation"},
                                                                {"同音", "homophone"},
                                                                {"拼音", "spelled"},
                                                                {"首字母", "first letter"},
                                                                {"形近", "look-alike"},
                                                                {"拆字", "split character"},
                                                                {"改名", "renamed"},
                                                                {"替换", "substituted"},
                                                                {"增加", "inserted"},
                                                                {"删去", "left out"}}};
  return kWords[static_cast<size_t>(kind)];
}

std::string_view PassageKindName(PassageKind kind) {
  static constexpr std::array<std::string_view, 4> kNames = {"verbatim", "disguised", "renamed",
                                                             "edited"};
  return kNames[static_cast<size_t>(kind)];
}

PassageSearch::PassageSearch(std::unique_ptr<Suspect> suspect) : suspect_(std::move(suspect)) {}
PassageSearch::PassageSearch(PassageSearch&&) noexcept = default;
PassageSearch::~PassageSearch() = default;

Result<PassageSearch> PassageSearch::Create(std::string_view text, const PassageOptions& options) {
  ZHIWEN_RETURN_IF_ERROR(CheckUtf8(text, options.a_name));
  auto suspect = std::make_unique<Suspect>(text, options);
  for (const Channel& channel : suspect->options.channels) {
    ZHIWEN_ASSIGN_OR_RETURN(ChannelSymbols symbols, ChannelSymbols::Create(channel, text));
    suspect->symbols.push_back(std::move(symbols));
  }
  return PassageSearch(std::move(suspect));
}

Result<PassageComparison> PassageSearch::Find(std::string_view b,
                                              const Cancellation& cancellation) {
  Suspect& a = *suspect_;
  ZHIWEN_RETURN_IF_ERROR(CheckUtf8(b, a.options.b_name));
  return PassageFinder(a.text, b, a.options, a.points, a.kinds, cancellation).Find(a.symbols);
}

Result<PassageComparison> FindPassages(std::string_view a, std::string_view b,
                                       const PassageOptions& options,
                                       const Cancellation& cancellation) {
  ZHIWEN_ASSIGN_OR_RETURN(PassageSearch search, PassageSearch::Create(a, options));
  return search.Find(b, cancellation);
}

}  // namespace zhiwen
