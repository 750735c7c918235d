#include "zhiwen/inspect.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/utf8/text_encoding.h"
#include "base/utf8/utf8.h"
#include "text/channel_view.h"
#include "text/fold_tables.h"
#include "text/grapheme.h"

namespace zhiwen {
namespace {

// Returns where the grapheme cluster at `at` ends.
size_t ClusterEnd(std::string_view utf8, size_t at) {
  DecodedCodePoint decoded = DecodeAt(utf8, at);
  GraphemeCluster cluster(LookUpFold(decoded.code_point).grapheme_break());
  do {
    at += decoded.length;
    if (at == utf8.size()) break;
    decoded = DecodeAt(utf8, at);
  } while (cluster.Accept(LookUpFold(decoded.code_point).grapheme_break()));
  return at;
}

// Returns the lines that contain `part`, up to kWindowContext beyond it. No channel looks beyond
// these lines.
ByteSpan LinesAround(std::string_view utf8, ByteSpan part) {
  const uint64_t least = part.begin.value - std::min(part.begin.value, kWindowContext);
  const size_t before = utf8.substr(least, part.begin.value - least).rfind('\n');
  uint64_t begin = before == std::string_view::npos ? least : least + before + 1;
  while (IsContinuation(utf8[begin])) ++begin;
  const uint64_t most = std::min<uint64_t>(utf8.size(), part.end.value + kWindowContext);
  uint64_t end = most;
  if (utf8[part.end.value - 1] == '\n') {
    end = part.end.value;
  } else if (const size_t after = utf8.find('\n', part.end.value); after < most) {
    end = after + 1;
  }
  while (end < utf8.size() && IsContinuation(utf8[end])) --end;
  return {{begin}, {end}};
}

// ---- What is looked at ----

struct View {
  std::string_view utf8;
  ByteSpan window;                // the text given to the channels
  std::vector<bool> is_boundary;  // window.size() + 1 values: whether a unit may end here
  std::vector<SpannedSymbols> seen;

  std::string_view text() const { return utf8.substr(window.begin.value, window.size()); }
};

// Computes the symbols of the window, and finds the boundaries that split no cluster and no symbol.
View LookAt(std::string_view utf8, ByteSpan window, std::span<const Channel> channels) {
  View view{utf8, window, std::vector<bool>(window.size() + 1), {}};
  for (size_t at = 0; at < window.size(); at = ClusterEnd(view.text(), at)) {
    view.is_boundary[at] = true;
  }
  view.is_boundary[window.size()] = true;
  for (const Channel& channel : channels) {
    SpannedSymbols& seen = view.seen.emplace_back(channel.view().Explain(view.text()));
    uint64_t cleared = 0;  // many symbols may share one span
    for (ByteSpan& span : seen.spans) {
      for (cleared = std::max(cleared, span.begin.value + 1); cleared < span.end.value; ++cleared) {
        view.is_boundary[cleared] = false;
      }
      span = {span.begin + window.begin.value, span.end + window.begin.value};
    }
  }
  return view;
}

// Extends the part to whole units.
ByteSpan RoundOut(const View& view, ByteSpan part) {
  uint64_t begin = part.begin - view.window.begin;
  uint64_t end = part.end - view.window.begin;
  while (!view.is_boundary[begin]) --begin;
  while (!view.is_boundary[end]) ++end;
  return {view.window.begin + begin, view.window.begin + end};
}

void CutIntoUnits(const View& view, Inspection& inspection) {
  const uint64_t origin = view.window.begin.value;
  const uint64_t end = inspection.part.end.value - origin;
  for (uint64_t at = inspection.part.begin.value - origin; at < end;) {
    uint64_t after = at + 1;
    while (!view.is_boundary[after]) ++after;
    inspection.units.push_back({{{origin + at}, {origin + after}}, {}});
    at = after;
  }
}

// Takes the symbols of the part, and assigns them to their units.
void TakeSymbols(const View& view, const Channel& channel, const SpannedSymbols& seen,
                 Inspection& inspection) {
  const auto begins_before = [](const ByteSpan& span, ByteOffset at) { return span.begin < at; };
  const auto first =
      std::lower_bound(seen.spans.begin(), seen.spans.end(), inspection.part.begin, begins_before);
  const auto last = std::lower_bound(first, seen.spans.end(), inspection.part.end, begins_before);
  InspectedChannel taken{channel, {}, {}, {first, last}, {}, channel.view().reads_chinese_only()};
  taken.symbols.assign(seen.symbols.begin() + (first - seen.spans.begin()),
                       seen.symbols.begin() + (last - seen.spans.begin()));
  for (size_t i = 0; i < taken.symbols.size(); ++i) {
    const ByteSpan span = taken.spans[i];
    const std::string_view source = view.utf8.substr(span.begin.value, span.size());
    taken.names.push_back(channel.view().NameIn(source, taken.symbols[i]));
  }
  const bool is_whole = inspection.part == view.window;
  taken.disguise =
      is_whole ? seen.disguise
               : channel.view()
                     .Explain(view.utf8.substr(inspection.part.begin.value, inspection.part.size()))
                     .disguise;
  uint64_t at = 0;
  for (InspectedUnit& unit : inspection.units) {
    const uint64_t begin = at;
    while (at < taken.spans.size() && taken.spans[at].begin < unit.bytes.end) ++at;
    unit.symbols.push_back({{begin}, {at}});
  }
  inspection.channels.push_back(std::move(taken));
}

void TakeTokens(const View& view, const Segmenter& segmenter, Inspection& inspection) {
  const uint64_t origin = view.window.begin.value;
  segmenter.Visit(view.text(), {.tags = true}, [&](std::span<const Token> tokens) {
    for (Token token : tokens) {
      token.bytes = {token.bytes.begin + origin, token.bytes.end + origin};
      if (token.bytes.begin < inspection.part.begin) continue;
      if (token.bytes.begin < inspection.part.end) inspection.tokens.push_back(token);
    }
  });
}

// Inspects `part` of text that was checked; bytes and lines are for the caller to say.
Result<Inspection> InspectPart(std::string_view utf8, ByteSpan part,
                               const InspectOptions& options) {
  if (part.begin.value > utf8.size() || part.end < part.begin) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("cannot show bytes {}–{} of \"{}\", which has {}", part.begin.value,
                            part.end.value, options.name, utf8.size()));
  }
  Inspection inspection;
  inspection.part = {part.begin, std::min(part.end, ByteOffset{utf8.size()})};
  const bool is_empty = inspection.part.size() == 0;
  const ByteSpan window = is_empty ? inspection.part : LinesAround(utf8, inspection.part);
  const View view = LookAt(utf8, window, options.channels);
  if (!is_empty) inspection.part = RoundOut(view, inspection.part);
  inspection.source = utf8;
  const std::string_view before = utf8.substr(0, inspection.part.begin.value);
  inspection.is_line_start = before.empty() || before.ends_with('\n');
  inspection.first_line = 1 + static_cast<uint64_t>(std::ranges::count(before, '\n'));
  inspection.has_han = HasHan(utf8.substr(inspection.part.begin.value, inspection.part.size()));
  CutIntoUnits(view, inspection);
  for (size_t i = 0; i < options.channels.size(); ++i) {
    TakeSymbols(view, options.channels[i], view.seen[i], inspection);
  }
  if (options.segmenter != nullptr) TakeTokens(view, *options.segmenter, inspection);
  return inspection;
}

}  // namespace

bool HasHan(std::string_view utf8) {
  for (size_t at = 0; at < utf8.size();) {
    const DecodedCodePoint decoded = DecodeAt(utf8, at);
    if (LookUpFold(decoded.code_point).fold_class() == FoldClass::kHan) return true;
    at += decoded.length;
  }
  return false;
}

Result<Inspection> InspectText(std::string_view utf8, const InspectOptions& options) {
  ZHIWEN_RETURN_IF_ERROR(CheckUtf8(utf8, options.name));
  ZHIWEN_ASSIGN_OR_RETURN(Inspection inspection, InspectPart(utf8, options.part, options));
  inspection.bytes = utf8.size();
  const bool is_cut = !utf8.empty() && utf8.back() != '\n';
  inspection.lines = static_cast<uint64_t>(std::ranges::count(utf8, '\n')) + (is_cut ? 1 : 0);
  return inspection;
}

Result<Inspection> InspectText(const TextWindow& window, const InspectOptions& options) {
  const ByteSpan part = {{window.part.begin - window.begin}, {window.part.end - window.begin}};
  ZHIWEN_ASSIGN_OR_RETURN(Inspection inspection, InspectPart(window.text, part, options));
  const auto move = [&](ByteSpan& span) {
    span = {span.begin + window.begin.value, span.end + window.begin.value};
  };
  const bool is_at_begin = inspection.part.begin.value == 0;
  // The window does not show whether a line starts where it begins, unless it begins with the text.
  inspection.is_line_start = inspection.is_line_start && (!is_at_begin || window.begin.value == 0);
  move(inspection.part);
  for (InspectedUnit& unit : inspection.units) move(unit.bytes);
  for (InspectedChannel& channel : inspection.channels) std::ranges::for_each(channel.spans, move);
  for (Token& token : inspection.tokens) move(token.bytes);
  inspection.source_begin = window.begin;
  inspection.first_line += window.lines_before;
  inspection.bytes = window.bytes;
  inspection.lines = window.lines;
  return inspection;
}

}  // namespace zhiwen
