#include "match/passages/edit_script.h"

#include <algorithm>

#include "base/utf8/utf8.h"
#include "text/channel_view.h"
#include "text/fold.h"

namespace zhiwen {
namespace {

constexpr size_t kShortStretch = 24;    // bytes
constexpr size_t kMostKnown = 100'000;  // stretches whose kind is remembered
// Pairs that are one disguise together though each by itself is none: parts of a character.
constexpr size_t kMostPairsOfDisguise = 6;
constexpr size_t kLongestGroup = 100'000;  // bytes of a group that is explained as a whole

bool IsBlank(uint32_t code_point) {
  return code_point <= 0x20 || code_point == 0xA0 || code_point == 0x3000 ||
         (code_point >= 0x2000 && code_point <= 0x200A) || code_point == 0x2028;
}

std::string WithoutBlanks(std::string_view utf8) {
  std::string kept;
  VisitCodePoints(utf8, [&](DecodedCodePoint decoded, size_t at) {
    if (!IsBlank(decoded.code_point)) kept.append(utf8.substr(at, decoded.length));
  });
  return kept;
}

bool HasLetters(std::string_view utf8) {
  return std::ranges::any_of(
      utf8, [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
}

std::vector<uint32_t> SymbolsOn(const Channel& channel, std::string_view utf8) {
  std::vector<uint32_t> symbols;
  channel.view().ComputeInto(utf8, symbols);
  return symbols;
}

// The symbols that pairs have on both sides: half open.
struct PairRange {
  uint32_t a_begin = kNoSymbol, a_end = kNoSymbol, b_begin = kNoSymbol, b_end = kNoSymbol;

  bool has_a() const { return a_begin != kNoSymbol; }
  bool has_b() const { return b_begin != kNoSymbol; }
  uint64_t symbols() const {
    return std::max<uint64_t>(has_a() ? a_end - a_begin : 0, has_b() ? b_end - b_begin : 0);
  }
};

PairRange RangeOf(std::span<const AlignedSymbols> pairs) {
  PairRange range;
  for (const AlignedSymbols& pair : pairs) {
    if (pair.a != kNoSymbol) {
      if (!range.has_a()) range.a_begin = pair.a;
      range.a_end = pair.a + 1;
    }
    if (pair.b != kNoSymbol) {
      if (!range.has_b()) range.b_begin = pair.b;
      range.b_end = pair.b + 1;
    }
  }
  return range;
}

bool IsUnchanged(const AlignedSymbols& pair, const ChannelSymbols& a, const ChannelSymbols& b) {
  return pair.are_equal && a.RenamingOf(pair.a) == 0 && a.BytesOf(pair.a) == b.BytesOf(pair.b);
}

// Appends an edit, or makes the last one longer where this one of its kind follows directly.
void AppendEdit(const PassageEdit& edit, std::vector<PassageEdit>& edits) {
  if (!edits.empty()) {
    PassageEdit& last = edits.back();
    if (last.kind == edit.kind && last.a_bytes.end == edit.a_bytes.begin &&
        last.b_bytes.end == edit.b_bytes.begin) {
      last.a_bytes.end = edit.a_bytes.end;
      last.b_bytes.end = edit.b_bytes.end;
      last.symbols += edit.symbols;
      return;
    }
  }
  edits.push_back(edit);
}

EditKind KindWithoutChannel(const PairRange& range) {
  if (!range.has_a()) return EditKind::kDeleted;
  return range.has_b() ? EditKind::kSubstituted : EditKind::kInserted;
}

}  // namespace

EditKind KindUndoneBy(std::string_view channel) {
  if (channel.starts_with("pinyin") || channel.starts_with("phonemes")) {
    return EditKind::kHomophone;
  }
  if (channel.starts_with("initials")) return EditKind::kInitial;
  return channel.starts_with("shape") ? EditKind::kLookAlike : EditKind::kForm;
}

// Returns how a stretch of a came of one of b; both have bytes.
EditKind StretchKinds::ComputeKind(std::string_view a, std::string_view b) const {
  std::vector<uint32_t> folded_a, folded_b;
  FoldInto(a, folded_a);
  FoldInto(b, folded_b);
  if (!folded_a.empty() && folded_a == folded_b) return EditKind::kForm;
  for (const Channel& channel : channels_) {
    const std::vector<uint32_t> of_a = SymbolsOn(channel, a);
    if (of_a.empty() || of_a != SymbolsOn(channel, b)) continue;
    switch (const EditKind undone = KindUndoneBy(channel.name())) {
      case EditKind::kHomophone:
        return HasLetters(a) == HasLetters(b) ? undone : EditKind::kSpelled;
      case EditKind::kLookAlike:
        return CountCodePoints(a) == CountCodePoints(b) ? undone : EditKind::kSplit;
      case EditKind::kInitial:
        if (HasLetters(a) == HasLetters(b)) continue;  // by chance
        return undone;
      default:
        return undone;
    }
  }
  return EditKind::kSubstituted;
}

EditKind StretchKinds::KindOf(std::string_view a, std::string_view b) {
  if (a.size() + b.size() > kShortStretch || known_.size() > kMostKnown) return ComputeKind(a, b);
  const auto [known, is_new] =
      known_.try_emplace({std::string(a), std::string(b)}, EditKind::kSubstituted);
  if (is_new) known->second = ComputeKind(a, b);
  return known->second;
}

EditKind EditExplainer::KindOfPairs(std::span<const AlignedSymbols> pairs) {
  const PairRange range = RangeOf(pairs);
  if (!range.has_a() || !range.has_b()) return KindWithoutChannel(range);
  if (std::ranges::all_of(pairs, [&](const AlignedSymbols& pair) {
        return pair.are_equal && a_.RenamingOf(pair.a) != 0;
      })) {
    return EditKind::kRenamed;
  }
  const std::string_view in_a = a_.BytesBetween(range.a_begin, range.a_end);
  const std::string_view in_b = b_.BytesBetween(range.b_begin, range.b_end);
  const EditKind kind = in_a.size() + in_b.size() > kLongestGroup ? EditKind::kSubstituted
                                                                  : kinds_.KindOf(in_a, in_b);
  const bool are_equal = std::ranges::all_of(pairs, &AlignedSymbols::are_equal);
  return kind == EditKind::kSubstituted && are_equal ? of_equal_ : kind;
}

void EditExplainer::Append(EditKind kind, std::span<const AlignedSymbols> pairs) {
  const PairRange range = RangeOf(pairs);
  PassageEdit edit = {.kind = kind,
                      .a_bytes = {a_end_, a_end_},
                      .b_bytes = {b_end_, b_end_},
                      .symbols = range.symbols()};
  if (range.has_a()) edit.a_bytes = a_.HullOf(range.a_begin, range.a_end);
  if (range.has_b()) edit.b_bytes = b_.HullOf(range.b_begin, range.b_end);
  if (range.has_a()) a_end_ = edit.a_bytes.end;
  if (range.has_b()) b_end_ = edit.b_bytes.end;
  AppendEdit(edit, edits_);
}

// Notes punctuation and the like that stand between two pairs in one of the texts.
void EditExplainer::CompareBetween(const AlignedSymbols& before, const AlignedSymbols& next) {
  if (before.a == kNoSymbol || before.b == kNoSymbol || next.a == kNoSymbol ||
      next.b == kNoSymbol) {
    return;
  }
  const ByteSpan a = {a_.spans()[before.a].end, a_.spans()[next.a].begin};
  const ByteSpan b = {b_.spans()[before.b].end, b_.spans()[next.b].begin};
  if (a.begin >= a.end && b.begin >= b.end) return;
  if (a.begin > a.end || b.begin > b.end) return;  // symbols of one name
  const std::string in_a = WithoutBlanks(a_.At(a)), in_b = WithoutBlanks(b_.At(b));
  if (in_a == in_b) return;
  AppendEdit({.kind = EditKind::kSymbols,
              .a_bytes = a,
              .b_bytes = b,
              .symbols = std::max(CountCodePoints(in_a), CountCodePoints(in_b))},
             edits_);
}

// Explains pairs that are not the same in both texts, one after another: as one disguise, or else
// as the disguises and edits that they are made of.
void EditExplainer::ExplainGroup(std::span<const AlignedSymbols> group) {
  const EditKind whole = KindOfPairs(group);
  if (IsDisguise(whole) || group.size() == 1) return Append(whole, group);
  size_t edited = 0;  // pairs before the next one that no disguise explains
  for (size_t at = 0; at < group.size();) {
    size_t count = 1;
    EditKind kind = KindOfPairs(group.subspan(at, 1));
    for (size_t more = std::min(kMostPairsOfDisguise, group.size() - at); more > 1; --more) {
      const auto pairs = group.subspan(at, more);
      if (std::ranges::none_of(pairs, &AlignedSymbols::is_one_sided)) continue;
      const EditKind joined = KindOfPairs(pairs);
      if (!IsDisguise(joined)) continue;
      kind = joined;
      count = more;
      break;
    }
    if (!IsDisguise(kind)) {
      ++edited;
      ++at;
      continue;
    }
    AppendEdited(group.subspan(at - edited, edited));
    edited = 0;
    Append(kind, group.subspan(at, count));
    at += count;
  }
  AppendEdited(group.subspan(group.size() - edited));
}

void EditExplainer::AppendEdited(std::span<const AlignedSymbols> pairs) {
  if (!pairs.empty()) Append(KindWithoutChannel(RangeOf(pairs)), pairs);
}

std::vector<PassageEdit> EditExplainer::Explain(std::span<const AlignedSymbols> pairs) {
  edits_.clear();
  if (pairs.empty()) return {};
  const PairRange range = RangeOf(pairs);
  if (range.has_a()) a_end_ = a_.spans()[range.a_begin].begin;
  if (range.has_b()) b_end_ = b_.spans()[range.b_begin].begin;
  for (size_t at = 0; at < pairs.size();) {
    if (at > 0) CompareBetween(pairs[at - 1], pairs[at]);
    const size_t first = at;
    while (at < pairs.size() && !IsUnchanged(pairs[at], a_, b_)) ++at;
    if (at > first) {
      ExplainGroup(pairs.subspan(first, at - first));
      continue;
    }
    a_end_ = a_.spans()[pairs[at].a].end;
    b_end_ = b_.spans()[pairs[at].b].end;
    ++at;
  }
  return std::move(edits_);
}

}  // namespace zhiwen
