#include "match/passages/passage_parts.h"

#include <algorithm>

namespace zhiwen {

std::vector<PassagePart> PartsOfPiece(const CopiedPassage& passage, const PassagePiece& piece,
                                      PassageSide side, ByteOffset begin) {
  const ByteSpan whole = BytesIn(side, piece);
  std::vector<size_t> order;
  const auto first =
      std::ranges::lower_bound(passage.edits, piece.a_bytes.begin, {},
                               [](const PassageEdit& edit) { return edit.a_bytes.begin; });
  for (auto i = static_cast<size_t>(first - passage.edits.begin()); i < passage.edits.size(); ++i) {
    const PassageEdit& edit = passage.edits[i];
    if (edit.a_bytes.begin > piece.a_bytes.end) break;
    const bool is_in_a =
        edit.a_bytes.begin >= piece.a_bytes.begin && edit.a_bytes.end <= piece.a_bytes.end;
    const bool is_in_b =
        edit.b_bytes.begin >= piece.b_bytes.begin && edit.b_bytes.end <= piece.b_bytes.end;
    if (is_in_a && is_in_b) order.push_back(i);
  }
  const auto bytes_of = [&](size_t edit) { return BytesIn(side, passage.edits[edit]); };
  std::ranges::stable_sort(order, {}, [&](size_t i) { return bytes_of(i).begin; });
  std::vector<PassagePart> parts;
  ByteOffset at = std::max(whole.begin, begin);
  for (const size_t edit : order) {
    const ByteSpan bytes = bytes_of(edit);
    if (bytes.begin < at) continue;
    if (at < bytes.begin) parts.push_back({.bytes = {at, bytes.begin}});
    parts.push_back({.bytes = bytes, .edit = edit});
    at = bytes.end;
  }
  if (at < whole.end) parts.push_back({.bytes = {at, whole.end}});
  return parts;
}

std::vector<PassagePart> MatchedParts(const CopiedPassage& passage, const PassagePiece& piece,
                                      PassageSide side) {
  std::vector<PassagePart> parts = PartsOfPiece(passage, piece, side, BytesIn(side, piece).begin);
  std::erase_if(parts, [&](const PassagePart& part) {
    return part.edit && !IsDisguise(passage.edits[*part.edit].kind);
  });
  return parts;
}

uint64_t CountMatchedSymbols(PassageSide side, std::span<const CopiedPassage> passages,
                             std::span<const ByteSpan> symbols) {
  std::vector<bool> is_matched;  // by byte
  for (const CopiedPassage& passage : passages) {
    for (const PassagePiece& piece : passage.pieces) {
      for (const PassagePart& part : MatchedParts(passage, piece, side)) {
        is_matched.resize(std::max<size_t>(is_matched.size(), part.bytes.end.value));
        std::fill(is_matched.begin() + static_cast<ptrdiff_t>(part.bytes.begin.value),
                  is_matched.begin() + static_cast<ptrdiff_t>(part.bytes.end.value), true);
      }
    }
  }
  return static_cast<uint64_t>(std::ranges::count_if(symbols, [&](const ByteSpan& span) {
    return span.begin.value < is_matched.size() && is_matched[span.begin.value];
  }));
}

PassageKind KindOfEdits(std::span<const PassageEdit> edits) {
  PassageKind kind = PassageKind::kVerbatim;
  for (const PassageEdit& edit : edits) {
    PassageKind of_edit = PassageKind::kDisguised;
    if (edit.kind == EditKind::kRenamed) of_edit = PassageKind::kRenamed;
    if (edit.kind == EditKind::kSymbols) of_edit = PassageKind::kVerbatim;
    if (!IsDisguise(edit.kind)) of_edit = PassageKind::kEdited;
    kind = std::max(kind, of_edit);
  }
  return kind;
}

std::vector<MarkedPart> MarkParts(PassageSide side, std::span<const CopiedPassage> passages) {
  struct PieceOf {
    const PassagePiece* piece;
    size_t passage;
  };
  std::vector<PieceOf> pieces;
  for (size_t i = 0; i < passages.size(); ++i) {
    for (const PassagePiece& piece : passages[i].pieces) pieces.push_back({&piece, i});
  }
  std::ranges::stable_sort(pieces, {},
                           [&](const PieceOf& one) { return BytesIn(side, *one.piece).begin; });
  std::vector<bool> has_begun(passages.size());
  std::vector<MarkedPart> parts;
  ByteOffset covered;
  for (const PieceOf& one : pieces) {
    const ByteSpan bytes = BytesIn(side, *one.piece);
    if (bytes.end <= covered) {
      const bool is_first = !has_begun[one.passage];  // links lead to its number
      if (is_first) parts.push_back({{.bytes = {covered, covered}}, one.passage, true});
      has_begun[one.passage] = true;
      continue;
    }
    for (const PassagePart& part : PartsOfPiece(passages[one.passage], *one.piece, side, covered)) {
      parts.push_back({part, one.passage, !has_begun[one.passage]});
      has_begun[one.passage] = true;
    }
    covered = bytes.end;
  }
  return parts;
}

void LocatePassages(const SourcePlaces& places, PassageSide side, std::span<CopiedPassage> passages,
                    std::span<ExcludedPassage> excluded) {
  const auto locate = [&](CopiedPassage& passage) {
    (side == PassageSide::kA ? passage.a_source : passage.b_source) =
        places.SourceOf(BytesIn(side, passage));
  };
  for (CopiedPassage& passage : passages) locate(passage);
  for (ExcludedPassage& one : excluded) locate(one.passage);
}

std::optional<uint64_t> PeriodOf(const CopiedPassage& repeat) {
  const auto overlaps = [](const PassagePiece& piece) {
    return piece.b_bytes.end > piece.a_bytes.begin && piece.b_bytes.begin < piece.a_bytes.begin;
  };
  if (!std::ranges::any_of(repeat.pieces, overlaps)) return std::nullopt;
  return repeat.a_points.begin - repeat.b_points.begin;
}

}  // namespace zhiwen
