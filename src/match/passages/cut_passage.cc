#include "match/passages/cut_passage.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/utf8/utf8.h"
#include "match/passages/edit_script.h"
#include "match/passages/passage_parts.h"

namespace zhiwen {
namespace {

uint64_t CountCharacters(std::string_view text) {
  uint64_t count = 0;
  VisitCodePoints(
      text, [&](DecodedCodePoint point, size_t) { count += IsBlank(point.code_point) ? 0 : 1; });
  return count;
}

// Returns where the first `count` characters of a text end that are no blanks.
size_t EndOfCharacters(std::string_view text, uint64_t count) {
  size_t end = 0;
  VisitCodePoints(text, [&](DecodedCodePoint point, size_t at) {
    if (count == 0) return false;
    count -= IsBlank(point.code_point) ? 0 : 1;
    end = at + point.length;
    return true;
  });
  return end;
}

class PassageCutter {
 public:
  PassageCutter(std::string_view copy, std::string_view original, const CopiedPassage& passage,
                std::span<const ExcludedPlace> places)
      : copy_(copy), original_(original), passage_(passage), places_(places) {}

  // Returns the parts between all borders.
  std::vector<CutPassage> Cut() {
    for (const PassagePiece& piece : passage_.pieces) CutPiece(piece);
    return std::move(parts_);
  }

 private:
  // Returns the place that has a byte of the copy, or the first one behind it.
  auto PlaceAt(uint64_t byte) const {
    return std::ranges::upper_bound(places_, byte, {},
                                    [](const ExcludedPlace& one) { return one.bytes.end.value; });
  }

  std::optional<ExclusionReason> ReasonAt(uint64_t byte) const {
    const auto place = PlaceAt(byte);
    if (place == places_.end() || byte < place->bytes.begin.value) return std::nullopt;
    return place->reason;
  }

  // Returns where the place ends, or the next one begins; at most `end`.
  uint64_t NextBorder(uint64_t byte, uint64_t end) const {
    const auto place = PlaceAt(byte);
    if (place == places_.end()) return end;
    const bool is_in = place->bytes.begin.value <= byte;
    return std::min(end, is_in ? place->bytes.end.value : place->bytes.begin.value);
  }

  // Adds what is from here on up to both ends to the last part, or to a new one.
  void Append(const ByteSpan& a, const ByteSpan& b, std::optional<ExclusionReason> reason) {
    if (parts_.empty() || parts_.back().reason != reason) {
      parts_.push_back({.reason = reason, .continues_piece = !begins_piece_});
    }
    CutPassage& part = parts_.back();
    const bool goes_on =
        !begins_piece_ && !part.pieces.empty() && part.pieces.back().a_bytes.end == a.begin;
    if (!goes_on) part.pieces.push_back({{a.begin, a.begin}, {b.begin, b.begin}});
    part.pieces.back().a_bytes.end = a.end;
    part.pieces.back().b_bytes.end = b.end;
    begins_piece_ = false;
  }

  void CutSame(const ByteSpan& a, const ByteSpan& b) {
    uint64_t at = a.begin.value, b_at = b.begin.value;
    while (at < a.end.value) {
      const uint64_t border = NextBorder(at, a.end.value);
      const std::string_view left = original_.substr(b_at, b.end.value - b_at);
      const uint64_t b_border =
          border == a.end.value
              ? b.end.value
              : b_at + EndOfCharacters(left, CountCharacters(copy_.substr(at, border - at)));
      Append({{at}, {border}}, {{b_at}, {b_border}}, ReasonAt(at));
      parts_.back().matched_bytes += border - at;
      at = border;
      b_at = b_border;
    }
  }

  void CutPiece(const PassagePiece& piece) {
    begins_piece_ = true;
    const std::vector<PassagePart> parts =
        PartsOfPiece(passage_, piece, PassageSide::kA, piece.a_bytes.begin);
    ByteOffset b_at = piece.b_bytes.begin;
    for (size_t i = 0; i < parts.size(); ++i) {
      if (!parts[i].edit) {
        const bool is_last = i + 1 == parts.size() || !parts[i + 1].edit;
        const ByteOffset b_end =
            is_last ? piece.b_bytes.end : passage_.edits[*parts[i + 1].edit].b_bytes.begin;
        CutSame(parts[i].bytes, {b_at, b_end});
        b_at = b_end;
        continue;
      }
      const PassageEdit& edit = passage_.edits[*parts[i].edit];
      const bool goes_on = edit.a_bytes.size() == 0 && !begins_piece_;  // left out: no place has it
      Append(edit.a_bytes, {b_at, edit.b_bytes.end},
             goes_on ? parts_.back().reason : ReasonAt(edit.a_bytes.begin.value));
      parts_.back().edits.push_back(edit);
      if (IsDisguise(edit.kind)) parts_.back().matched_bytes += edit.a_bytes.size();
      b_at = edit.b_bytes.end;
    }
  }

  const std::string_view copy_, original_;
  const CopiedPassage& passage_;
  const std::span<const ExcludedPlace> places_;
  std::vector<CutPassage> parts_;
  bool begins_piece_ = true;
};

// Makes parts one that follow each other for the same reason. A piece that was cut between them is
// one again; pieces that were two stay so, also where they touch.
void JoinEqual(std::vector<CutPassage>& parts) {
  std::vector<CutPassage> joined;
  for (CutPassage& part : parts) {
    if (joined.empty() || joined.back().reason != part.reason) {
      joined.push_back(std::move(part));
      continue;
    }
    CutPassage& last = joined.back();
    size_t from = 0;
    if (part.continues_piece) {
      last.pieces.back().a_bytes.end = part.pieces.front().a_bytes.end;
      last.pieces.back().b_bytes.end = part.pieces.front().b_bytes.end;
      from = 1;
    }
    last.pieces.insert(last.pieces.end(), part.pieces.begin() + static_cast<ptrdiff_t>(from),
                       part.pieces.end());
    last.edits.insert(last.edits.end(), part.edits.begin(), part.edits.end());
    last.matched_bytes += part.matched_bytes;
  }
  parts = std::move(joined);
}

// Gives parts that count and are no passages the reason of a neighbour. Where all such parts
// together would be a passage, their neighbours count instead: else every other sentence in
// quotation marks would exclude all of a copied page.
template <typename IsPassage>
void JoinShort(std::span<CutPassage> parts, const IsPassage& is_passage) {
  std::vector<size_t> shorts;
  uint64_t bytes = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].reason || is_passage(parts[i].matched_bytes)) continue;
    shorts.push_back(i);
    bytes += parts[i].matched_bytes;
  }
  for (const size_t i : shorts) {
    if (!is_passage(bytes)) {
      parts[i].reason = parts[i > 0 ? i - 1 : i + 1].reason;
      continue;
    }
    if (i > 0) parts[i - 1].reason.reset();
    if (i + 1 < parts.size()) parts[i + 1].reason.reset();
  }
}

}  // namespace

std::vector<CutPassage> CutAtPlaces(std::string_view copy, std::string_view original,
                                    const CopiedPassage& passage,
                                    std::span<const ExcludedPlace> places, double least_score) {
  std::vector<CutPassage> parts = PassageCutter(copy, original, passage, places).Cut();
  uint64_t all = 0, counting = 0;
  for (const CutPassage& part : parts) {
    all += part.matched_bytes;
    counting += part.reason ? 0 : part.matched_bytes;
  }
  const auto is_passage = [&](uint64_t bytes) {
    return static_cast<double>(bytes) * passage.score >= least_score * static_cast<double>(all);
  };
  if (counting == all) {
    for (CutPassage& part : parts) part.reason.reset();
    JoinEqual(parts);
    return parts;
  }
  // A whole text that is too short for a passage has no score.
  if (!is_passage(counting) && (passage.score > 0 || counting == 0)) {
    std::vector<CountedReason> bytes;
    for (const CutPassage& part : parts) {
      if (part.reason) bytes.push_back({*part.reason, part.matched_bytes});
    }
    const ExclusionReason reason = MainReason(bytes);
    for (CutPassage& part : parts) part.reason = reason;
    JoinEqual(parts);
    return parts;
  }
  for (CutPassage& part : parts) {
    if (part.reason && !is_passage(part.matched_bytes)) part.reason.reset();
  }
  JoinEqual(parts);
  if (parts.size() > 1) JoinShort(parts, is_passage);
  JoinEqual(parts);
  return parts;
}

}  // namespace zhiwen
