#include "pipeline/compare/marked_text.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "pipeline/run_report/html_text.h"

namespace zhiwen {
namespace {

constexpr size_t kBlockBytes = 4096;  // of text, before the next line begins a new block
constexpr uint64_t kNoEdit = UINT64_MAX;

// Bytes of a text that belong to one piece of a passage, or to one edit of it.
struct MarkedPart {
  ByteSpan bytes;
  uint64_t passage = 0;
  uint64_t edit = kNoEdit;  // its place among those of the passage
  bool begins_passage = false;
};

class PartMaker {
 public:
  PartMaker(PageText which, const PassageComparison& passages)
      : which_(which), passages_(passages.passages) {}

  // Returns parts that ascend and do not overlap.
  std::vector<MarkedPart> Make() {
    std::vector<MarkedPart> pieces;
    for (uint64_t i = 0; i < passages_.size(); ++i) {
      for (const PassagePiece& piece : passages_[i].pieces) {
        pieces.push_back({.bytes = BytesOf(piece), .passage = i});
      }
    }
    std::ranges::stable_sort(pieces, {}, [](const MarkedPart& part) { return part.bytes.begin; });
    std::vector<bool> has_begun(passages_.size());
    ByteOffset covered;
    for (MarkedPart& piece : pieces) {
      piece.bytes.begin = std::max(piece.bytes.begin, covered);
      if (piece.bytes.begin >= piece.bytes.end) continue;
      covered = piece.bytes.end;
      piece.begins_passage = !has_begun[piece.passage];
      has_begun[piece.passage] = true;
      Divide(piece);
    }
    return std::move(parts_);
  }

 private:
  template <typename Both>
  ByteSpan BytesOf(const Both& both) const {
    return which_ == PageText::kA ? both.a_bytes : both.b_bytes;
  }

  // Appends the parts of a piece: its edits, and what is between them.
  void Divide(MarkedPart piece) {
    const std::vector<PassageEdit>& edits = passages_[piece.passage].edits;
    std::vector<uint64_t> order;
    for (uint64_t i = 0; i < edits.size(); ++i) {
      const ByteSpan bytes = BytesOf(edits[i]);
      if (bytes.begin >= piece.bytes.begin && bytes.end <= piece.bytes.end) order.push_back(i);
    }
    std::ranges::stable_sort(order, {}, [&](uint64_t i) { return BytesOf(edits[i]).begin; });
    ByteOffset at = piece.bytes.begin;
    const auto append = [&](const ByteSpan& bytes, uint64_t edit) {
      parts_.push_back({bytes, piece.passage, edit, piece.begins_passage});
      piece.begins_passage = false;
    };
    for (const uint64_t i : order) {
      const ByteSpan bytes = BytesOf(edits[i]);
      if (bytes.begin < at) continue;
      if (at < bytes.begin) append({at, bytes.begin}, kNoEdit);
      append(bytes, i);
      at = bytes.end;
    }
    if (at < piece.bytes.end) append({at, piece.bytes.end}, kNoEdit);
  }

  const PageText which_;
  const std::vector<CopiedPassage>& passages_;
  std::vector<MarkedPart> parts_;
};

// Writes parts as elements, in blocks of lines.
class BlockWriter {
 public:
  BlockWriter(PageText which, const PassageComparison& passages)
      : which_(which), passages_(passages.passages) {}

  // `part` may be null: the text is in no passage.
  void Write(std::string_view text, const MarkedPart* part) {
    if (part != nullptr && part->begins_passage) WriteNumber(part->passage);
    if (text.empty()) WriteElement(text, part);  // where something was left out
    while (!text.empty()) {
      size_t size = text.size();
      if (in_block_ + size > kBlockBytes) {
        const size_t from = in_block_ < kBlockBytes ? kBlockBytes - in_block_ : 0;
        const size_t line = text.find('\n', from);
        if (line != std::string_view::npos) size = line + 1;
      }
      WriteElement(text.substr(0, size), part);
      in_block_ += size;
      const bool ends_line = text[size - 1] == '\n';
      text.remove_prefix(size);
      if (in_block_ < kBlockBytes || !ends_line) continue;
      out_ += "</div><div class=\"block\">";
      in_block_ = 0;
    }
  }

  std::string Take() { return "<div class=\"block\">" + std::move(out_) + "</div>"; }

 private:
  void WriteNumber(uint64_t passage) {
    const char own = which_ == PageText::kA ? 'a' : 'b', other = which_ == PageText::kA ? 'b' : 'a';
    out_ += fmt::format("<a class=\"place\" id=\"{0}{2}\" href=\"#{1}{2}\" data-p=\"{2}\">{2}</a>",
                        own, other, passage + 1);
  }

  void WriteElement(std::string_view text, const MarkedPart* part) {
    if (part == nullptr) {
      AppendHtmlText(out_, text);
      return;
    }
    if (part->edit == kNoEdit) {
      out_ += fmt::format("<mark class=\"shared\" data-p=\"{}\">", part->passage + 1);
    } else {
      const EditKind kind = passages_[part->passage].edits[part->edit].kind;
      out_ += fmt::format("<mark class=\"shared edit {}\" data-p=\"{}\" data-e=\"{}.{}\">",
                          IsDisguise(kind) ? "folded" : "only", part->passage + 1,
                          part->passage + 1, part->edit + 1);
    }
    AppendHtmlText(out_, text);
    out_ += "</mark>";
  }

  const PageText which_;
  const std::vector<CopiedPassage>& passages_;
  std::string out_;
  size_t in_block_ = 0;  // bytes of text
};

}  // namespace

std::string RenderMarkedText(std::string_view text, PageText which,
                             const PassageComparison& passages) {
  BlockWriter writer(which, passages);
  uint64_t at = 0;
  for (const MarkedPart& part : PartMaker(which, passages).Make()) {
    if (at < part.bytes.begin.value) {
      writer.Write(text.substr(at, part.bytes.begin.value - at), nullptr);
    }
    writer.Write(text.substr(part.bytes.begin.value, part.bytes.size()), &part);
    at = part.bytes.end.value;
  }
  if (at < text.size()) writer.Write(text.substr(at), nullptr);
  return writer.Take();
}

std::string RenderPassageMap(std::string_view text, PageText which,
                             const PassageComparison& passages) {
  constexpr double kWidth = 1000, kLeast = 1.5;
  const double scale = kWidth / static_cast<double>(std::max<size_t>(text.size(), 1));
  std::string out =
      "<svg class=\"bar map\" viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\" "
      "aria-hidden=\"true\"><rect class=\"track\" width=\"1000\" height=\"10\"/>";
  for (size_t i = 0; i < passages.passages.size(); ++i) {
    for (const PassagePiece& piece : passages.passages[i].pieces) {
      const ByteSpan& bytes = which == PageText::kA ? piece.a_bytes : piece.b_bytes;
      out += fmt::format(
          "<rect class=\"same\" data-p=\"{}\" x=\"{:.1f}\" width=\"{:.1f}\" height=\"10\"/>", i + 1,
          static_cast<double>(bytes.begin.value) * scale,
          std::max(static_cast<double>(bytes.size()) * scale, kLeast));
    }
  }
  return out + "</svg>";
}

}  // namespace zhiwen
