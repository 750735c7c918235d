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
constexpr size_t kLeastInitials = 8;       // characters in a row that sound alike by these alone
constexpr size_t kLongestGroup = 100'000;  // bytes of a group that is explained as a whole

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

// Appends an edit. It is made one with the last one where both have the same bytes, or where it
// follows directly and is of the same kind, or text for text that is left out.
void AppendEdit(const PassageEdit& edit, std::vector<PassageEdit>& edits) {
  if (edits.empty()) {
    edits.push_back(edit);
    return;
  }
  PassageEdit& last = edits.back();
  const bool are_apart =
      last.a_bytes.end <= edit.a_bytes.begin && last.b_bytes.end <= edit.b_bytes.begin;
  const bool are_adjacent =
      last.a_bytes.end == edit.a_bytes.begin && last.b_bytes.end == edit.b_bytes.begin;
  const bool are_edited = !IsDisguise(last.kind) && !IsDisguise(edit.kind);
  if (are_apart && !(are_adjacent && (last.kind == edit.kind || are_edited))) {
    edits.push_back(edit);
    return;
  }
  const bool is_one_for_other = are_edited && last.kind != edit.kind &&
                                last.kind != EditKind::kSubstituted &&
                                edit.kind != EditKind::kSubstituted;
  last.symbols =
      is_one_for_other ? std::max(last.symbols, edit.symbols) : last.symbols + edit.symbols;
  last.a_bytes.end = std::max(last.a_bytes.end, edit.a_bytes.end);
  last.b_bytes.end = std::max(last.b_bytes.end, edit.b_bytes.end);
  last.kind = last.kind != edit.kind && are_edited ? EditKind::kSubstituted
                                                   : std::max(last.kind, edit.kind);
}

EditKind KindWithoutChannel(bool has_a, bool has_b) {
  if (!has_a) return EditKind::kDeleted;
  return has_b ? EditKind::kSubstituted : EditKind::kInserted;
}

}  // namespace

bool IsBlank(uint32_t code_point) {
  return code_point <= 0x20 || code_point == 0xA0 || code_point == 0x3000 ||
         (code_point >= 0x2000 && code_point <= 0x200A) || code_point == 0x2028;
}

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

EditExplainer::Stretch EditExplainer::StretchOf(std::optional<EditKind> kind,
                                                std::span<const AlignedSymbols> pairs) const {
  Stretch stretch = {.kind = kind};
  for (const AlignedSymbols& pair : pairs) {
    if (pair.a != kNoSymbol) {
      if (!stretch.has_a()) stretch.a_begin = pair.a;
      stretch.a_end = pair.a + 1;
    }
    if (pair.b != kNoSymbol) {
      if (!stretch.has_b()) stretch.b_begin = pair.b;
      stretch.b_end = pair.b + 1;
    }
  }
  return stretch;
}

EditKind EditExplainer::KindOfPairs(std::span<const AlignedSymbols> pairs) {
  const Stretch range = StretchOf(std::nullopt, pairs);
  if (!range.has_a() || !range.has_b()) return KindWithoutChannel(range.has_a(), range.has_b());
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
  // A few characters have the same first letters by chance.
  const bool is_chance = of_equal_ == EditKind::kInitial && HasLetters(in_a) == HasLetters(in_b) &&
                         pairs.size() < kLeastInitials;
  return kind == EditKind::kSubstituted && are_equal && !is_chance ? of_equal_ : kind;
}

// Returns which pairs are not the same in both texts. Pairs whose symbols have bytes in common, as
// those that ㍿ stands for, are changed together.
std::vector<bool> EditExplainer::FindChanged(std::span<const AlignedSymbols> pairs) const {
  std::vector<bool> is_changed(pairs.size());
  const auto spread = [&](size_t i, auto& a_last, auto& b_last, const auto& share) {
    const AlignedSymbols& pair = pairs[i];
    const bool shares = (pair.a != kNoSymbol && a_last && share(a_.spans()[pair.a], *a_last)) ||
                        (pair.b != kNoSymbol && b_last && share(b_.spans()[pair.b], *b_last));
    is_changed[i] = is_changed[i] || shares;
    if (!is_changed[i]) return;
    if (pair.a != kNoSymbol) a_last = a_.spans()[pair.a];
    if (pair.b != kNoSymbol) b_last = b_.spans()[pair.b];
  };
  std::optional<ByteSpan> a_last, b_last;  // of the last pair that is changed
  for (size_t i = 0; i < pairs.size(); ++i) {
    const AlignedSymbols& pair = pairs[i];
    is_changed[i] = pair.is_one_sided() || a_.BytesOf(pair.a) != b_.BytesOf(pair.b);
    spread(i, a_last, b_last,
           [](const ByteSpan& own, const ByteSpan& last) { return own.begin < last.end; });
  }
  a_last = b_last = std::nullopt;
  for (size_t i = pairs.size(); i-- > 0;) {
    spread(i, a_last, b_last,
           [](const ByteSpan& own, const ByteSpan& last) { return own.end > last.begin; });
  }
  return is_changed;
}

// Returns whether the texts differ in what the channel drops between two pairs, other than in
// punctuation.
bool EditExplainer::HasTextBetween(const AlignedSymbols& before, const AlignedSymbols& next) const {
  const auto fold = [](const ChannelSymbols& text, uint32_t from, uint32_t to) {
    std::vector<uint32_t> folded;
    if (from == kNoSymbol || to == kNoSymbol) return folded;
    const ByteOffset begin = text.spans()[from].end, end = text.spans()[to].begin;
    if (begin < end) FoldInto(text.At({begin, end}), folded);
    return folded;
  };
  return fold(a_, before.a, next.a) != fold(b_, before.b, next.b);
}

// Explains pairs that are not the same in both texts, one after another: as one disguise, or else
// as the disguises and edits that they are made of.
void EditExplainer::ExplainGroup(std::span<const AlignedSymbols> group) {
  const EditKind whole = KindOfPairs(group);
  if (IsDisguise(whole) || group.size() == 1) {
    stretches_.push_back(StretchOf(whole, group));
    return;
  }
  size_t edited = 0;  // pairs before the next one that no disguise explains
  const auto append_edited = [&](size_t end) {
    if (edited == 0) return;
    Stretch stretch = StretchOf(std::nullopt, group.subspan(end - edited, edited));
    stretch.kind = KindWithoutChannel(stretch.has_a(), stretch.has_b());
    stretches_.push_back(stretch);
    edited = 0;
  };
  for (size_t at = 0; at < group.size();) {
    size_t count = 1;
    if (of_equal_ == EditKind::kInitial) {
      const auto rest = group.subspan(at);
      const auto equal = std::ranges::find_if_not(rest, &AlignedSymbols::are_equal) - rest.begin();
      if (static_cast<size_t>(equal) >= kLeastInitials) count = static_cast<size_t>(equal);
    }
    EditKind kind = KindOfPairs(group.subspan(at, count));
    for (size_t more = std::min(kMostPairsOfDisguise, group.size() - at); more > count; --more) {
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
    append_edited(at);
    stretches_.push_back(StretchOf(kind, group.subspan(at, count)));
    at += count;
  }
  append_edited(group.size());
}

// Notes what stands between two symbols in one of the texts and not in the other: punctuation, or
// text that the channel drops.
void EditExplainer::CompareBetween(ByteSpan a, ByteSpan b) {
  a.end = std::max(a.begin, a.end);  // symbols may have bytes in common
  b.end = std::max(b.begin, b.end);
  const std::string in_a = WithoutBlanks(a_.At(a)), in_b = WithoutBlanks(b_.At(b));
  a_end_ = a.end;
  b_end_ = b.end;
  if (in_a == in_b) return;
  std::vector<uint32_t> folded_a, folded_b;
  FoldInto(in_a, folded_a);
  FoldInto(in_b, folded_b);
  PassageEdit edit = {.kind = EditKind::kSymbols, .a_bytes = a, .b_bytes = b};
  edit.symbols = std::max(folded_a.size(), folded_b.size());
  if (edit.symbols == 0) {
    edit.symbols = std::max(CountCodePoints(in_a), CountCodePoints(in_b));
  } else if (folded_a == folded_b) {
    edit.kind = EditKind::kForm;
  } else {
    edit.kind = KindWithoutChannel(!folded_a.empty(), !folded_b.empty());
  }
  AppendEdit(edit, explained_.edits);
}

// Compares what stands before a stretch in both texts. Where only one of them has symbols in the
// stretch, the other one's text up to its next symbol stands before it, if both are the same.
void EditExplainer::CompareBefore(size_t stretch) {
  const Stretch& next = stretches_[stretch];
  const auto begin_of = [&](const auto& spans, auto has, auto begin, ByteOffset end) {
    for (size_t i = stretch; i < stretches_.size(); ++i) {
      if ((stretches_[i].*has)()) return spans[stretches_[i].*begin].begin;
    }
    return end;
  };
  ByteSpan a = {a_end_, begin_of(a_.spans(), &Stretch::has_a, &Stretch::a_begin, a_end_)};
  ByteSpan b = {b_end_, begin_of(b_.spans(), &Stretch::has_b, &Stretch::b_begin, b_end_)};
  if (!next.has_a() || !next.has_b()) {
    const bool are_same = WithoutBlanks(a_.At({a.begin, std::max(a.begin, a.end)})) ==
                          WithoutBlanks(b_.At({b.begin, std::max(b.begin, b.end)}));
    if (!are_same && !next.has_a()) a.end = a.begin;
    if (!are_same && !next.has_b()) b.end = b.begin;
  }
  CompareBetween(a, b);
}

void EditExplainer::AppendStretch(const Stretch& stretch) {
  PassageEdit edit = {.kind = stretch.kind.value_or(EditKind::kForm),
                      .a_bytes = {a_end_, a_end_},
                      .b_bytes = {b_end_, b_end_},
                      .symbols = stretch.symbols()};
  if (stretch.has_a()) edit.a_bytes = a_.HullOf(stretch.a_begin, stretch.a_end);
  if (stretch.has_b()) edit.b_bytes = b_.HullOf(stretch.b_begin, stretch.b_end);
  a_end_ = std::max(a_end_, edit.a_bytes.end);
  b_end_ = std::max(b_end_, edit.b_bytes.end);
  if (!stretch.kind || IsDisguise(*stretch.kind)) {
    explained_.matched += stretch.a_end - stretch.a_begin;
  }
  if (stretch.kind) AppendEdit(edit, explained_.edits);
}

ExplainedBlock EditExplainer::Explain(std::span<const AlignedSymbols> pairs) {
  explained_ = {};
  stretches_.clear();
  if (pairs.empty()) return {};
  const std::vector<bool> is_changed = FindChanged(pairs);
  for (size_t at = 0; at < pairs.size();) {
    const size_t first = at++;
    if (!is_changed[first]) {
      stretches_.push_back(StretchOf(std::nullopt, pairs.subspan(first, 1)));
      continue;
    }
    while (at < pairs.size() && is_changed[at] && !HasTextBetween(pairs[at - 1], pairs[at])) ++at;
    ExplainGroup(pairs.subspan(first, at - first));
  }
  const Stretch range = StretchOf(std::nullopt, pairs);
  if (range.has_a()) a_end_ = a_.spans()[range.a_begin].begin;
  if (range.has_b()) b_end_ = b_.spans()[range.b_begin].begin;
  for (size_t i = 0; i < stretches_.size(); ++i) {
    CompareBefore(i);
    AppendStretch(stretches_[i]);
  }
  return std::move(explained_);
}

}  // namespace zhiwen
