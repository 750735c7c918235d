#include "document/foreign/pdf_outline.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <optional>
#include <utility>

#include "base/utf8/ascii.h"
#include "base/utf8/utf8.h"
#include "document/foreign/foreign_program.h"
#include "document/office/xml_reader.h"

namespace zhiwen {
namespace {

constexpr uint8_t kLowestLevel = 9;
constexpr std::string_view kOutlineBegin = "<outline>", kFileEnd = "</pdf2xml>";

// <outline><item page="1">Title</item><outline>…</outline></outline>
class OutlineVisitor final : public XmlVisitor {
 public:
  void Begin(const XmlElement& element) override {
    if (element.name == "outline") ++level_;
    if (element.name != "item" || titles_.size() == kMostOutlineTitles) return;
    const std::string_view page = element.Value("page");
    titles_.push_back({.level = static_cast<uint8_t>(std::min<size_t>(level_, kLowestLevel))});
    std::from_chars(page.data(), page.data() + page.size(), titles_.back().page);
    is_title_ = true;
  }

  void Text(std::string_view text) override {
    if (is_title_) titles_.back().text += text;
  }

  void End(std::string_view name, uint64_t) override {
    if (name == "outline") --level_;
    if (name == "item") is_title_ = false;
  }

  std::vector<OutlineTitle>& titles() { return titles_; }

 private:
  std::vector<OutlineTitle> titles_;
  size_t level_ = 0;
  bool is_title_ = false;
};

// What a code point is where titles are compared: letters and digits in their narrow form, capital
// ASCII letters as small ones; nothing for blanks and marks.
std::optional<uint32_t> FoldedForTitle(uint32_t c) {
  constexpr uint32_t kWideToNarrow = 0xFEE0;
  if (c > 0xFF00 && c < 0xFF5F) c -= kWideToNarrow;
  if (c < 0x80) {
    const char folded = LowerAscii(static_cast<char>(c));
    const bool is_kept = IsAsciiDigit(folded) || (folded >= 'a' && folded <= 'z');
    return is_kept ? std::optional(static_cast<uint32_t>(folded)) : std::nullopt;
  }
  const bool is_mark = c < 0xC0 || (c >= 0x2000 && c < 0x2070) || (c >= 0x3000 && c < 0x3005) ||
                       (c > 0x3007 && c < 0x3040) || (c >= 0xFE30 && c < 0xFE50) || c == 0xFEFF ||
                       c == kReplacementCharacter || c == 0x30FB;
  return is_mark ? std::nullopt : std::optional(c);
}

void AppendTitleKey(std::string_view text, std::string& key) {
  VisitCodePoints(text, [&](DecodedCodePoint decoded, size_t) {
    constexpr uint32_t kFirstLigature = 0xFB00;
    constexpr auto kLigatures = std::to_array<std::string_view>({"ff", "fi", "fl", "ffi", "ffl"});
    const uint32_t ligature = decoded.code_point - kFirstLigature;
    if (ligature < kLigatures.size()) {
      key += kLigatures[ligature];
    } else if (const std::optional<uint32_t> folded = FoldedForTitle(decoded.code_point)) {
      AppendUtf8(*folded, key);
    }
  });
}

// How many bytes of a key are the number in front of a title: 12 of 12绪论, 第三章 of 第三章总则.
size_t NumberBytes(std::string_view key) {
  constexpr std::u32string_view kOfNumbers =
      U"0123456789第章节回卷部篇编条〇零一二三四五六七八九十百";
  size_t bytes = key.size();
  VisitCodePoints(key, [&](DecodedCodePoint decoded, size_t at) {
    if (kOfNumbers.find(static_cast<char32_t>(decoded.code_point)) != std::u32string_view::npos) {
      return true;
    }
    bytes = at;
    return false;
  });
  return bytes;
}

// The lines of a page behind one another as one key.
class PageKey {
 public:
  explicit PageKey(std::string_view page) {
    for (size_t at = 0; at < page.size();) {
      const size_t end = std::min(page.find('\n', at), page.size());
      const size_t before = key_.size();
      AppendTitleKey(page.substr(at, end - at), key_);
      if (key_.size() > before) lines_.push_back({.key = before, .begin = at, .end = end});
      at = end + 1;
    }
  }

  // The first lines from `from` on in the key whose key is `title`, perhaps behind a number. Moves
  // `from` behind them.
  std::optional<HeadingLines> Find(std::string_view title, size_t& from) const {
    for (size_t at = key_.find(title, from); at != std::string::npos;
         at = key_.find(title, at + 1)) {
      const auto first = std::ranges::upper_bound(lines_, at, {}, &Line::key) - 1;
      const size_t end = at + title.size();
      const auto next = std::ranges::lower_bound(lines_, end, {}, &Line::key);
      const bool is_line_end = next == lines_.end() ? end == key_.size() : next->key == end;
      const std::string_view before = std::string_view(key_).substr(first->key, at - first->key);
      if (!is_line_end || first->key < from || NumberBytes(before) < before.size()) continue;
      from = end;
      return HeadingLines{.begin = first->begin, .end = (next - 1)->end};
    }
    return std::nullopt;
  }

 private:
  struct Line {
    size_t key = 0;             // where its key begins
    size_t begin = 0, end = 0;  // in the page
  };
  std::string key_;
  std::vector<Line> lines_;  // those that have letters or digits
};

}  // namespace

bool MayHavePdfOutline(std::string_view bytes) {
  const auto has = [&](std::string_view name) {
    return bytes.find(name) != std::string_view::npos;
  };
  return has("/Outlines") || (has("/ObjStm") && !has("/Catalog"));
}

Result<std::vector<OutlineTitle>> ReadPdfOutline(std::string_view bytes) {
  // The outline is that of the file, whichever pages are asked for.
  const ForeignProgram program = {
      .name = "pdftohtml",
      .package = "poppler-utils",
      .files = "outlines of PDF files",
      .arguments = {"-xml", "-i", "-q", "-stdout", "-enc", "UTF-8", "-f", "1", "-l", "1",
                    kChildInput},
      .limits = {.processor_time = std::chrono::seconds(4), .output_bytes = size_t{16} << 20},
      .too_large = "an outline of more than 16 MiB"};
  ZHIWEN_ASSIGN_OR_RETURN(const ForeignText made, ReadByProgram(program, bytes));
  const std::string_view all = made.text;
  const size_t begin = std::min(all.find(kOutlineBegin), all.size());
  const std::string_view outline = all.substr(begin, all.rfind(kFileEnd) - begin);
  OutlineVisitor visitor;
  if (begin < all.size()) ZHIWEN_RETURN_IF_ERROR(ReadXml(outline, "its outline", visitor));
  std::erase_if(visitor.titles(), [](const OutlineTitle& title) { return title.page == 0; });
  return std::move(visitor.titles());
}

std::vector<HeadingLines> FindHeadings(std::string_view page,
                                       std::span<const OutlineTitle> titles) {
  std::vector<HeadingLines> headings;
  if (titles.empty() || page.size() > kMostHeadingPageBytes) return headings;
  const PageKey lines(page);
  size_t from = 0;
  for (const OutlineTitle& title : titles) {
    std::string key;
    AppendTitleKey(title.text, key);
    if (key.find_first_not_of("0123456789") == std::string::npos) continue;  // of pages
    std::optional<HeadingLines> found = lines.Find(key, from);
    const std::string_view unnumbered = std::string_view(key).substr(NumberBytes(key));
    if (!found && !unnumbered.empty()) found = lines.Find(unnumbered, from);
    if (!found) continue;
    found->level = title.level;
    headings.push_back(*found);
  }
  return headings;
}

}  // namespace zhiwen
