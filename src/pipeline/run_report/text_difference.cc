#include "pipeline/run_report/text_difference.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/utf8/utf8.h"
#include "match/shared_runs.h"
#include "zhiwen/display.h"

namespace zhiwen {
namespace {

// Shorter runs are as often chance as copy; between two runs they are found by alignment instead.
constexpr uint32_t kShortestRun = 4;
// Gaps between runs are aligned symbol by symbol up to this many symbols a side.
constexpr size_t kLargestAlignedGap = 256;
constexpr uint32_t kUnmatched = UINT32_MAX;

using Kind = TextPart::Kind;

// One text of the pair. match[i] is the symbol of the other text that symbol i is, or kUnmatched.
struct Side {
  std::string_view text;
  SpannedSymbols symbols;
  std::vector<uint32_t> match;

  size_t size() const { return symbols.symbols.size(); }
  std::string_view Symbol(size_t i) const {
    const ByteSpan& span = symbols.spans[i];
    return text.substr(span.begin.value, span.size());
  }
  // What the channel dropped before symbol `i`, or, for i == size(), after the last.
  std::string_view Gap(size_t i) const {
    const size_t begin = i == 0 ? 0 : symbols.spans[i - 1].end.value;
    const size_t end = i == size() ? text.size() : symbols.spans[i].begin.value;
    return end > begin ? text.substr(begin, end - begin) : std::string_view();
  }
};

Result<Side> ReadSide(const Channel& channel, std::string_view text) {
  Side side{.text = ComparedBeginning(text), .symbols = {}, .match = {}};
  ZHIWEN_ASSIGN_OR_RETURN(side.symbols, ComputeSymbols(channel, side.text));
  side.match.assign(side.size(), kUnmatched);
  return side;
}

struct SymbolRange {
  size_t begin = 0, end = 0;
  size_t size() const { return end - begin; }
};

// Matches the longest common subsequence of two short stretches, unless it is so small a part of
// both that it would only be chance.
void AlignGap(Side& a, Side& b, SymbolRange in_a, SymbolRange in_b) {
  const size_t rows = in_a.size(), columns = in_b.size();
  if (rows == 0 || columns == 0 || rows > kLargestAlignedGap || columns > kLargestAlignedGap) {
    return;
  }
  const auto equal = [&](size_t i, size_t j) {
    return a.symbols.symbols[in_a.begin + i] == b.symbols.symbols[in_b.begin + j];
  };
  std::vector<uint16_t> longest((rows + 1) * (columns + 1));  // of what follows (i, j)
  const auto at = [&](size_t i, size_t j) -> uint16_t& { return longest[i * (columns + 1) + j]; };
  for (size_t i = rows; i-- > 0;) {
    for (size_t j = columns; j-- > 0;) {
      at(i, j) = equal(i, j) ? static_cast<uint16_t>(at(i + 1, j + 1) + 1)
                             : std::max(at(i + 1, j), at(i, j + 1));
    }
  }
  if (size_t{at(0, 0)} * 2 < std::min(rows, columns)) return;
  for (size_t i = 0, j = 0; i < rows && j < columns;) {
    if (equal(i, j)) {
      uint32_t& of_a = a.match[in_a.begin + i];
      uint32_t& of_b = b.match[in_b.begin + j];
      if (of_a == kUnmatched) of_a = static_cast<uint32_t>(in_b.begin + j);
      if (of_b == kUnmatched) of_b = static_cast<uint32_t>(in_a.begin + i);
      ++i, ++j;
    } else {
      ++(at(i + 1, j) >= at(i, j + 1) ? i : j);
    }
  }
}

// Says of the symbols of `a` where they are in `b`. Runs of `a` may share a place in `b`, so this
// is asked of each text by itself.
std::vector<SymbolRun> MatchRuns(Side& a, const Side& b) {
  const size_t shorter = std::min(a.size(), b.size());
  const auto min_run = static_cast<uint32_t>(std::clamp<size_t>(shorter, 1, kShortestRun));
  std::vector<SymbolRun> runs = FindSharedRuns(a.symbols.symbols, b.symbols.symbols, min_run);
  for (const SymbolRun& run : runs) {
    for (uint64_t t = 0; t < run.length; ++t) {
      a.match[run.a.value + t] = static_cast<uint32_t>(run.b.value + t);
    }
  }
  return runs;
}

void MatchSymbols(Side& a, Side& b) {
  const std::vector<SymbolRun> runs = MatchRuns(a, b);
  MatchRuns(b, a);
  SymbolOffset a_end, b_end;
  for (const SymbolRun& run : runs) {
    if (run.b >= b_end) {
      AlignGap(a, b, {a_end.value, run.a.value}, {b_end.value, run.b.value});
    }
    a_end = run.a + run.length;
    b_end = run.b + run.length;
  }
  AlignGap(a, b, {a_end.value, a.size()}, {b_end.value, b.size()});
}

// Consecutive stretches of one text, each of one kind, that cover it.
class Stretches {
 public:
  void Add(Kind kind, std::string_view text) {
    if (text.empty()) return;
    if (!parts_.empty() && parts_.back().kind == kind) {
      parts_.back().text.append(text);
    } else {
      parts_.push_back({kind, std::string(text), 0});
    }
  }
  std::vector<TextPart> Take() && { return std::move(parts_); }

 private:
  std::vector<TextPart> parts_;
};

// The kind of what the channel dropped before symbol `i` of `side`. It belongs to the place where
// its neighbours were found.
Kind KindOfGap(const Side& side, const Side& other, size_t i) {
  // Before the first symbol and after the last there are the ends, which match each other.
  const auto match_of = [&](size_t symbol_after) -> size_t {  // of the symbol before `symbol_after`
    if (symbol_after == 0) return 0;
    const uint32_t match = side.match[symbol_after - 1];
    return match == kUnmatched ? size_t{kUnmatched} : size_t{match} + 1;
  };
  const size_t before = match_of(i);
  const size_t after = i == side.size()              ? other.size()
                       : side.match[i] == kUnmatched ? size_t{kUnmatched}
                                                     : size_t{side.match[i]};
  const std::string_view gap = side.Gap(i);
  if (before != kUnmatched && gap == other.Gap(before)) return Kind::kShared;
  if (after != kUnmatched && gap == other.Gap(after)) return Kind::kShared;
  return before == after && before != kUnmatched ? Kind::kFolded : Kind::kOnlyHere;
}

std::vector<TextPart> SplitByKind(const Side& side, const Side& other) {
  Stretches stretches;
  size_t end = 0;  // several symbols may come from the same bytes
  for (size_t i = 0; i < side.size(); ++i) {
    if (const std::string_view gap = side.Gap(i); !gap.empty()) {
      stretches.Add(KindOfGap(side, other, i), gap);
      end += gap.size();
    }
    const ByteSpan& span = side.symbols.spans[i];
    const size_t begin = std::max<size_t>(span.begin.value, end);
    if (span.end.value <= begin) continue;
    end = span.end.value;
    const uint32_t match = side.match[i];
    const Kind kind = match == kUnmatched                     ? Kind::kOnlyHere
                      : side.Symbol(i) == other.Symbol(match) ? Kind::kShared
                                                              : Kind::kFolded;
    stretches.Add(kind, side.text.substr(begin, end - begin));
  }
  stretches.Add(KindOfGap(side, other, side.size()), side.Gap(side.size()));
  return std::move(stretches).Take();
}

// --- leaving out ---------------------------------------------------------------------------------

// Kept on each side of what is left out: of passages that are the same, and of others.
constexpr size_t kSharedContext = 60;
constexpr size_t kOnlyHereContext = 160;
// Less than this is not worth leaving out.
constexpr size_t kLeastOmitted = 40;

size_t BytesOfFirst(std::string_view text, size_t code_points) {
  size_t at = 0;
  while (at < text.size()) {
    if (!IsContinuation(text[at]) && code_points-- == 0) break;
    ++at;
  }
  return at;
}

size_t Cost(std::string_view text) {
  const auto lines = static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
  return CountCodePoints(text) + lines * (kLineEndCost - 1);
}

bool IsDifferent(Kind kind) { return kind == Kind::kOnlyHere; }

class Shortener {
 public:
  // Adds `stretch`, with its middle left out when it is long.
  void Add(Kind kind, std::string_view text, size_t head, size_t tail) {
    const size_t all = CountCodePoints(text);
    if (room_ == 0 || all <= head + tail + kLeastOmitted) {
      Append(kind, text);
      return;
    }
    const size_t tail_begin = BytesOfFirst(text, all - tail);
    Append(kind, text.substr(0, BytesOfFirst(text, head)));
    Omit(IsDifferent(kind) ? Kind::kCut : Kind::kOmitted, all - head - tail);
    Append(kind, text.substr(tail_begin));
  }

  // Counts `code_points` as left out.
  void Omit(Kind kind, size_t code_points) {
    if (code_points == 0) return;
    if (!shown_.empty() && shown_.back().text.empty()) {
      if (shown_.back().kind != kind) shown_.back().kind = Kind::kCut;
      shown_.back().code_points += code_points;
    } else {
      shown_.push_back({kind, "", code_points});
    }
  }

  ShownText Take() && { return std::move(shown_); }

 private:
  // Appends as much of `text` as there is room for; the rest is cut.
  void Append(Kind kind, std::string_view text) {
    const size_t cost = Cost(text);
    std::string_view shown = text;
    if (cost > room_) {
      shown = text.substr(0, BytesOfFirst(text, room_));
      while (!shown.empty() && Cost(shown) > room_) shown = FirstBytes(shown, shown.size() / 2);
      room_ = 0;
    } else {
      room_ -= cost;
    }
    const size_t code_points = CountCodePoints(shown);
    if (!shown.empty()) shown_.push_back({kind, std::string(shown), code_points});
    Omit(Kind::kCut, CountCodePoints(text) - code_points);
  }

  size_t room_ = kShownCodePoints;
  ShownText shown_;
};

ShownText Shorten(const std::vector<TextPart>& parts, size_t not_compared) {
  size_t cost = 0;
  for (const TextPart& part : parts) cost += Cost(part.text);
  const bool fits = cost <= kShownCodePoints && not_compared == 0;
  Shortener shortener;
  for (size_t i = 0; i < parts.size(); ++i) {
    const size_t wanted = fits                         ? parts[i].text.size()
                          : IsDifferent(parts[i].kind) ? kOnlyHereContext
                                                       : kSharedContext;
    // The beginning says what the text is; after the last difference the rest matters little.
    const size_t head = i == 0 ? std::max(wanted, 2 * kSharedContext) : wanted;
    shortener.Add(parts[i].kind, parts[i].text, head, wanted);
  }
  shortener.Omit(Kind::kCut, not_compared);
  return std::move(shortener).Take();
}

struct TwoSides {
  Side a, b;
};

Result<TwoSides> MatchSides(const Channel& channel, std::string_view a, std::string_view b) {
  TwoSides sides;
  ZHIWEN_ASSIGN_OR_RETURN(sides.a, ReadSide(channel, a));
  ZHIWEN_ASSIGN_OR_RETURN(sides.b, ReadSide(channel, b));
  MatchSymbols(sides.a, sides.b);
  return sides;
}

ShownText Show(const Side& side, const Side& other, std::string_view whole) {
  return Shorten(SplitByKind(side, other), CountCodePoints(whole.substr(side.text.size())));
}

ShownText ShowAll(const Side& side, const Side& other, std::string_view whole) {
  ShownText parts = SplitByKind(side, other);
  for (TextPart& part : parts) part.code_points = CountCodePoints(part.text);
  AppendCut(parts, CountCodePoints(whole.substr(side.text.size())));
  return parts;
}

}  // namespace

std::string_view ComparedBeginning(std::string_view text) {
  return FirstBytes(text, kComparedBytes);
}

void AppendCut(ShownText& text, uint64_t code_points) {
  if (code_points == 0) return;
  if (text.empty() || !text.back().text.empty()) text.push_back({Kind::kCut, "", 0});
  text.back().kind = Kind::kCut;
  text.back().code_points += code_points;
}

Result<TextPair> ShowDifference(const Channel& channel, std::string_view a, std::string_view b) {
  ZHIWEN_ASSIGN_OR_RETURN(const TwoSides sides, MatchSides(channel, a, b));
  return TextPair{Show(sides.a, sides.b, a), Show(sides.b, sides.a, b)};
}

Result<TextPair> SplitDifference(const Channel& channel, std::string_view a, std::string_view b) {
  ZHIWEN_ASSIGN_OR_RETURN(const TwoSides sides, MatchSides(channel, a, b));
  return TextPair{ShowAll(sides.a, sides.b, a), ShowAll(sides.b, sides.a, b)};
}

}  // namespace zhiwen
