#include "pipeline/check/stretches.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/utf8/code_point_table.h"
#include "base/utf8/utf8.h"
#include "match/passages/passage_parts.h"
#include "pipeline/run_report/text_difference.h"
#include "zhiwen/display.h"

namespace zhiwen {
namespace {

using Kind = TextPart::Kind;

constexpr uint64_t kMostBetween = 100;     // code points between two passages of a stretch
constexpr uint64_t kMostOfStretch = 1500;  // code points; a longer one is cut between passages
constexpr size_t kAroundBytes = 240;
constexpr size_t kEndOfPassage = 300;  // code points that are shown of each end of a long one
constexpr size_t kLeastLeftOut = 40;
constexpr size_t kReadOfPassage = size_t{16} << 10;  // bytes of each end of a longer passage

std::string_view BytesAt(std::string_view text, const ByteSpan& span) {
  return text.substr(span.begin.value, span.size());
}

bool Follows(const CopiedPassage& passage, const CopiedPassage& before) {
  return passage.a_points.begin.value - before.a_points.end.value <= kMostBetween &&
         passage.b_points.begin >= before.b_points.end &&
         passage.b_points.begin.value - before.b_points.end.value <= kMostBetween;
}

// --- the middle of long passages -----------------------------------------------------------------

enum class End : uint8_t { kFront, kBack };

// Returns how many bytes of an end of `text` there is room for, and takes their cost from `room`.
size_t TakeEnd(std::string_view text, End end, size_t& room) {
  size_t bytes = 0;
  while (bytes < text.size()) {
    size_t next = bytes + 1;
    const auto at = [&](size_t i) { return text[end == End::kFront ? i : text.size() - 1 - i]; };
    if (end == End::kFront) {
      while (next < text.size() && IsContinuation(static_cast<uint8_t>(at(next)))) ++next;
    } else {
      while (next < text.size() && IsContinuation(static_cast<uint8_t>(at(next - 1)))) ++next;
    }
    const size_t cost = at(bytes) == '\n' ? kLineEndCost : 1;
    if (cost > room) {
      room = 0;
      break;
    }
    room -= cost;
    bytes = next;
  }
  return bytes;
}

size_t CostOf(const TextPart& part) {
  const auto lines = static_cast<size_t>(std::ranges::count(part.text, '\n'));
  return part.code_points + lines * (kLineEndCost - 1);
}

// Returns the parts of a passage without its middle, where it is long.
ShownText WithoutMiddle(ShownText parts) {
  size_t cost = 0;
  for (const TextPart& part : parts) cost += CostOf(part);
  if (cost <= 2 * kEndOfPassage + kLeastLeftOut) return parts;
  const auto cut = [](const TextPart& part, std::string_view text) {
    return TextPart{part.kind, std::string(text), CountCodePoints(text)};
  };
  ShownText front, back;
  const bool is_verbatim = std::ranges::all_of(parts, [](const TextPart& part) {
    return part.kind != Kind::kFolded && part.kind != Kind::kOnlyHere;
  });
  TextPart middle = {is_verbatim ? Kind::kOmitted : Kind::kCut, "", 0};
  size_t room = kEndOfPassage, next = 0, taken = 0;  // bytes of parts[next] that are in `front`
  for (; next < parts.size() && room > 0; ++next) {
    const TextPart& part = parts[next];
    taken = TakeEnd(part.text, End::kFront, room);
    if (taken > 0) front.push_back(cut(part, std::string_view(part.text).substr(0, taken)));
    if (taken < part.text.size() || part.text.empty()) break;
    taken = 0;
  }
  room = kEndOfPassage;
  for (size_t i = parts.size(); i-- > next;) {
    const TextPart& part = parts[i];
    const std::string_view text = std::string_view(part.text).substr(i == next ? taken : 0);
    const size_t kept = part.text.empty() ? 0 : TakeEnd(text, End::kBack, room);
    if (part.text.empty()) room = 0;
    if (kept > 0) back.push_back(cut(part, text.substr(text.size() - kept)));
    middle.code_points +=
        part.text.empty() ? part.code_points : CountCodePoints(text.substr(0, text.size() - kept));
  }
  if (middle.code_points > 0) front.push_back(middle);
  std::move(back.rbegin(), back.rend(), std::back_inserter(front));
  return front;
}

// Returns a passage whose bytes are equal in both texts.
ShownText ShowVerbatim(std::string_view text, uint64_t code_points) {
  if (text.size() <= 2 * kReadOfPassage) return {{Kind::kShared, std::string(text), code_points}};
  const std::string_view front = FirstBytes(text, kReadOfPassage);
  const std::string_view back = LastBytes(text, kReadOfPassage);
  const uint64_t of_front = CountCodePoints(front), of_back = CountCodePoints(back);
  return {{Kind::kShared, std::string(front), of_front},
          {Kind::kOmitted, "", code_points - of_front - of_back},
          {Kind::kShared, std::string(back), of_back}};
}

// --- stretches -----------------------------------------------------------------------------------

// Returns one text of a passage of one piece: what is the same, what is disguised, and what only it
// has.
ShownText ShowSide(std::string_view text, const CopiedPassage& passage, PassageSide side) {
  ShownText shown;
  const auto add = [&](Kind kind, const ByteSpan& bytes) {
    const std::string_view part = BytesAt(text, bytes);
    if (!part.empty()) shown.push_back({kind, std::string(part), CountCodePoints(part)});
  };
  const PassagePiece& piece = passage.pieces.front();
  for (const PassagePart& part : PartsOfPiece(passage, piece, side, BytesIn(side, piece).begin)) {
    Kind kind = Kind::kShared;
    if (part.edit) {
      kind = IsDisguise(passage.edits[*part.edit].kind) ? Kind::kFolded : Kind::kOnlyHere;
    }
    add(kind, part.bytes);
  }
  return shown;
}

StretchPart ShowPassage(std::string_view suspect, std::string_view original,
                        const CopiedPassage& passage) {
  StretchPart part;
  const bool is_same = passage.edits.empty() &&
                       BytesAt(suspect, passage.a_bytes) == BytesAt(original, passage.b_bytes);
  if (is_same) {
    part.suspect =
        WithoutMiddle(ShowVerbatim(BytesAt(suspect, passage.a_bytes), passage.a_points.size()));
    part.original = part.suspect;
    return part;
  }
  part.suspect = WithoutMiddle(ShowSide(suspect, passage, PassageSide::kA));
  part.original = WithoutMiddle(ShowSide(original, passage, PassageSide::kB));
  return part;
}

// Returns a side of a stretch; what is around it lies in `free`.
StretchSide ShowAround(std::string_view text, const ByteSpan& bytes, const ByteSpan& free,
                       const Span<CodePointOffset>& place) {
  const std::string_view before =
      text.substr(free.begin.value, bytes.begin.value - free.begin.value);
  const std::string_view after = text.substr(bytes.end.value, free.end.value - bytes.end.value);
  StretchSide side = {.place = place,
                      .before = LastBytes(before, kAroundBytes),
                      .after = FirstBytes(after, kAroundBytes)};
  side.begins_text = bytes.begin.value == side.before.size();
  side.ends_text = bytes.end.value + side.after.size() == text.size();
  return side;
}

// Returns the bytes around `bytes` that are in no other passage.
ByteSpan FreeAround(const ByteSpan& bytes, size_t text_size,
                    std::span<const CopiedPassage> passages, ByteSpan CopiedPassage::*of) {
  ByteSpan free = {{0}, {text_size}};
  for (const CopiedPassage& passage : passages) {
    const ByteSpan& other = passage.*of;
    if (other.begin < bytes.begin) {
      free.begin = std::max(free.begin, std::min(other.end, bytes.begin));
    }
    if (other.end > bytes.end) free.end = std::min(free.end, std::max(other.begin, bytes.end));
  }
  return free;
}

}  // namespace

std::vector<CopiedPassage> PiecesOf(std::span<const CopiedPassage> passages,
                                    std::string_view suspect, std::string_view original) {
  struct PieceOf {
    const CopiedPassage* passage;
    PassagePiece piece;
  };
  std::vector<PieceOf> all;
  for (const CopiedPassage& passage : passages) {
    for (const PassagePiece& piece : passage.pieces) all.push_back({&passage, piece});
  }
  std::ranges::stable_sort(all, {}, [](const PieceOf& one) { return one.piece.a_bytes.begin; });
  const CodePointTable a_points(suspect), b_points(original);
  std::vector<CopiedPassage> pieces;
  for (auto& [passage, piece] : all) {
    if (!pieces.empty()) {
      piece.a_bytes.begin = std::max(piece.a_bytes.begin, pieces.back().a_bytes.end);
    }
    if (piece.a_bytes.begin >= piece.a_bytes.end) continue;
    CopiedPassage one = {.a_bytes = piece.a_bytes,
                         .b_bytes = piece.b_bytes,
                         .a_points = a_points.Of(piece.a_bytes),
                         .b_points = b_points.Of(piece.b_bytes),
                         .channel = passage->channel,
                         .kind = passage->kind,
                         .pieces = {piece}};
    one.matched = one.a_points.size();
    for (const PassagePart& part :
         PartsOfPiece(*passage, piece, PassageSide::kA, piece.a_bytes.begin)) {
      if (part.edit) one.edits.push_back(passage->edits[*part.edit]);
    }
    pieces.push_back(std::move(one));
  }
  return pieces;
}

std::vector<StretchRange> GroupPassages(std::span<const CopiedPassage> passages) {
  std::vector<StretchRange> ranges;
  for (size_t i = 0; i < passages.size(); ++i) {
    const bool goes_on =
        !ranges.empty() && Follows(passages[i], passages[i - 1]) &&
        passages[i].a_points.end.value - passages[ranges.back().first].a_points.begin.value <=
            kMostOfStretch;
    if (!goes_on) ranges.push_back({.first = i, .end = i});
    ranges.back().end = i + 1;
    ranges.back().matched += passages[i].matched;
  }
  return ranges;
}

Result<Stretch> ShowStretch(const Channel& channel, std::string_view suspect,
                            std::string_view original, std::span<const CopiedPassage> passages,
                            const StretchRange& range) {
  const CopiedPassage& first = passages[range.first];
  const CopiedPassage& last = passages[range.end - 1];
  const ByteSpan in_suspect = {first.a_bytes.begin, last.a_bytes.end};
  const ByteSpan in_original = {first.b_bytes.begin, last.b_bytes.end};
  Stretch stretch;
  stretch.suspect =
      ShowAround(suspect, in_suspect,
                 FreeAround(in_suspect, suspect.size(), passages, &CopiedPassage::a_bytes),
                 {first.a_points.begin, last.a_points.end});
  stretch.original =
      ShowAround(original, in_original,
                 FreeAround(in_original, original.size(), passages, &CopiedPassage::b_bytes),
                 {first.b_points.begin, last.b_points.end});
  for (size_t i = range.first; i < range.end; ++i) {
    if (i > range.first) {
      const CopiedPassage& before = passages[i - 1];
      ZHIWEN_ASSIGN_OR_RETURN(
          TextPair between,
          SplitDifference(channel,
                          BytesAt(suspect, {before.a_bytes.end, passages[i].a_bytes.begin}),
                          BytesAt(original, {before.b_bytes.end, passages[i].b_bytes.begin})));
      stretch.parts.push_back(
          {.passage = {}, .suspect = std::move(between.a), .original = std::move(between.b)});
    }
    StretchPart part = ShowPassage(suspect, original, passages[i]);
    part.passage = i;
    stretch.parts.push_back(std::move(part));
  }
  return stretch;
}

}  // namespace zhiwen
