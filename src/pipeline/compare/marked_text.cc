#include "pipeline/compare/marked_text.h"

#include <algorithm>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "pipeline/run_report/html_text.h"

namespace zhiwen {
namespace {

constexpr size_t kBlockBytes = 4096;  // of text, before the next line begins a new block

// Writes parts as elements, in blocks of lines.
class BlockWriter {
 public:
  BlockWriter(PassageSide side, std::span<const CopiedPassage> passages)
      : side_(side), passages_(passages) {}

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
    const char own = side_ == PassageSide::kA ? 'a' : 'b',
               other = side_ == PassageSide::kA ? 'b' : 'a';
    out_ += fmt::format("<a class=\"place\" id=\"{0}{2}\" href=\"#{1}{2}\" data-p=\"{2}\">{2}</a>",
                        own, other, passage + 1);
  }

  void WriteElement(std::string_view text, const MarkedPart* part) {
    if (part == nullptr) {
      AppendHtmlText(out_, text);
      return;
    }
    if (!part->part.edit) {
      out_ += fmt::format("<mark class=\"shared\" data-p=\"{}\">", part->passage + 1);
    } else {
      const EditKind kind = passages_[part->passage].edits[*part->part.edit].kind;
      out_ += fmt::format("<mark class=\"shared edit {}\" data-p=\"{}\" data-e=\"{}.{}\">",
                          IsDisguise(kind) ? "folded" : "only", part->passage + 1,
                          part->passage + 1, *part->part.edit + 1);
    }
    AppendHtmlText(out_, text);
    out_ += "</mark>";
  }

  const PassageSide side_;
  const std::span<const CopiedPassage> passages_;
  std::string out_;
  size_t in_block_ = 0;  // bytes of text
};

}  // namespace

std::string RenderMarkedText(std::string_view text, PassageSide side,
                             const PassageComparison& passages) {
  BlockWriter writer(side, passages.passages);
  uint64_t at = 0;
  for (const MarkedPart& one : MarkParts(side, passages.passages)) {
    const ByteSpan& bytes = one.part.bytes;
    if (at < bytes.begin.value) writer.Write(text.substr(at, bytes.begin.value - at), nullptr);
    writer.Write(text.substr(bytes.begin.value, bytes.size()), &one);
    at = bytes.end.value;
  }
  if (at < text.size()) writer.Write(text.substr(at), nullptr);
  return writer.Take();
}

std::string RenderPassageMap(std::string_view text, PassageSide side,
                             const PassageComparison& passages) {
  constexpr double kWidth = 1000, kLeast = 1.5;
  const double scale = kWidth / static_cast<double>(std::max<size_t>(text.size(), 1));
  std::string out =
      "<svg class=\"bar map\" viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\" "
      "aria-hidden=\"true\"><rect class=\"track\" width=\"1000\" height=\"10\"/>";
  for (size_t i = 0; i < passages.passages.size(); ++i) {
    std::vector<ByteSpan> bars;  // pieces that cannot be told apart are one
    for (const PassagePiece& piece : passages.passages[i].pieces) {
      bars.push_back(BytesIn(side, piece));
    }
    std::ranges::sort(bars, {}, &ByteSpan::begin);
    for (size_t first = 0, next = 1; first < bars.size(); first = next++) {
      ByteSpan bar = bars[first];
      while (next < bars.size() &&
             static_cast<double>(bars[next].begin.value) * scale <=
                 std::max(static_cast<double>(bar.begin.value) * scale + kLeast,
                          static_cast<double>(bar.end.value) * scale)) {
        bar.end = std::max(bar.end, bars[next++].end);
      }
      out += fmt::format(
          "<rect class=\"same\" data-p=\"{}\" x=\"{:.1f}\" width=\"{:.1f}\" height=\"10\"/>", i + 1,
          static_cast<double>(bar.begin.value) * scale,
          std::max(static_cast<double>(bar.size()) * scale, kLeast));
    }
  }
  return out + "</svg>";
}

}  // namespace zhiwen
