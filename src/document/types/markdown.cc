#include "document/types/markdown.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <md4c.h>

#include "base/utf8/ascii.h"
#include "document/decoded_text.h"
#include "document/html/html_text.h"
#include "document/office/office_text.h"

namespace zhiwen {
namespace {

constexpr std::string_view kFrontMatterLine = "---";
constexpr size_t kMostFrontMatterBytes = size_t{64} << 10;
constexpr uint8_t kDeepestLevel = 255;

// Takes the first line off `rest`; returns it without its line end.
std::string_view TakeLine(std::string_view& rest) {
  const size_t end = std::min(rest.find('\n'), rest.size());
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return Trim(line, " \t\r");
}

void TakeFact(std::string_view line, ExtractedDocument& document) {
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos || line.front() == '#') return;
  const std::string key = LowerAsciiOf(Trim(line.substr(0, colon), kLineBlanks));
  std::string_view value = Trim(line.substr(colon + 1), kLineBlanks);
  const bool is_quoted = value.size() >= 2 && value.front() == value.back() &&
                         (value.front() == '"' || value.front() == '\'');
  if (is_quoted) value = value.substr(1, value.size() - 2);
  if (key == "title") document.title = value;
  if (key == "author") document.author = value;
  if (key == "date") document.date = value;
  if (key == "lang" || key == "language") document.language = value;
}

// Reads the front matter. Returns where the text begins behind it.
size_t TakeFrontMatter(std::string_view text, ExtractedDocument& document) {
  std::string_view rest = text.substr(0, kMostFrontMatterBytes);
  if (TakeLine(rest) != kFrontMatterLine) return 0;
  std::vector<std::string_view> lines;
  while (!rest.empty()) {
    const std::string_view line = TakeLine(rest);
    if (line == kFrontMatterLine || line == "...") {
      for (const std::string_view fact : lines) {
        if (!fact.empty()) TakeFact(fact, document);
      }
      return static_cast<size_t>(rest.data() - text.data());
    }
    lines.push_back(line);
  }
  return 0;
}

// Makes blocks of what the parser finds.
class MarkdownBlocks {
 public:
  explicit MarkdownBlocks(std::string_view text) : text_(text) {}

  // Returns whether there was memory for it.
  bool Parse(size_t begin) {
    MD_PARSER parser{};
    parser.flags = MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS;
    parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* self) {
      return static_cast<MarkdownBlocks*>(self)->Enter(type, detail);
    };
    parser.leave_block = [](MD_BLOCKTYPE type, void*, void* self) {
      return static_cast<MarkdownBlocks*>(self)->Leave(type);
    };
    parser.enter_span = [](MD_SPANTYPE type, void*, void* self) {
      static_cast<MarkdownBlocks*>(self)->pictures_ += type == MD_SPAN_IMG ? 1 : 0;
      return 0;
    };
    parser.leave_span = [](MD_SPANTYPE type, void*, void* self) {
      static_cast<MarkdownBlocks*>(self)->pictures_ -= type == MD_SPAN_IMG ? 1 : 0;
      return 0;
    };
    parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* self) {
      return static_cast<MarkdownBlocks*>(self)->AddText(type, {text, size});
    };
    const std::string_view rest = text_.substr(begin);
    const bool is_read =
        md_parse(rest.data(), static_cast<MD_SIZE>(rest.size()), &parser, this) == 0;
    EndLine();
    return is_read;
  }

  std::vector<OfficeBlock>& blocks() { return blocks_; }
  uint64_t html_blocks() const { return html_blocks_; }

 private:
  int Enter(MD_BLOCKTYPE type, const void* detail) {
    if (type == MD_BLOCK_TD || type == MD_BLOCK_TH) {
      if (cells_++ > 0) line_.text += '\t';
      return 0;
    }
    EndLine();
    cells_ = 0;
    if (type == MD_BLOCK_HTML) {
      is_html_ = true;
      ++html_blocks_;
    } else if (type == MD_BLOCK_UL || type == MD_BLOCK_OL) {
      ++lists_;
    } else if (type == MD_BLOCK_QUOTE) {
      ++quotes_;
    } else if (type == MD_BLOCK_H) {
      heading_ = static_cast<uint8_t>(static_cast<const MD_BLOCK_H_DETAIL*>(detail)->level);
    }
    is_row_ = type == MD_BLOCK_TR;
    is_code_ = type == MD_BLOCK_CODE;
    return 0;
  }

  int Leave(MD_BLOCKTYPE type) {
    if (type == MD_BLOCK_TD || type == MD_BLOCK_TH) return 0;
    EndLine();
    if (type == MD_BLOCK_HTML) is_html_ = false;
    if (type == MD_BLOCK_UL || type == MD_BLOCK_OL) --lists_;
    if (type == MD_BLOCK_QUOTE) --quotes_;
    heading_ = 0;
    is_row_ = is_code_ = false;
    return 0;
  }

  int AddText(MD_TEXTTYPE type, std::string_view text) {
    if (is_html_ || type == MD_TEXT_HTML || pictures_ > 0) return 0;
    if (is_code_ && text == "\n") {
      EndLine();
      return 0;
    }
    // What the parser puts in, such as an indentation, stands elsewhere.
    const bool is_source = text.data() >= text_.data() && text.data() < text_.data() + text_.size();
    if (is_source) {
      const auto begin = static_cast<uint64_t>(text.data() - text_.data());
      if (line_.end == 0) line_.begin = begin;
      line_.end = begin + text.size();
    }
    switch (type) {
      case MD_TEXT_BR:
      case MD_TEXT_SOFTBR:
        is_broken_ = true;
        return 0;
      case MD_TEXT_NULLCHAR:
        return 0;
      case MD_TEXT_ENTITY: {
        const CharacterReference reference = ReadCharacterReference(text);
        Append(reference.length > 0 ? reference.value() : text);
        return 0;
      }
      default:
        Append(text);
        return 0;
    }
  }

  // The end of a line is a space, but between two characters that are written without.
  void Append(std::string_view text) {
    if (text.empty()) return;
    const auto is_wide = [](char c) { return static_cast<unsigned char>(c) >= 0xE2; };
    const auto is_tail = [](char c) { return static_cast<unsigned char>(c) >= 0x80; };
    if (is_broken_ && !line_.text.empty() &&
        !(is_tail(line_.text.back()) && is_wide(text.front()))) {
      line_.text += ' ';
    }
    is_broken_ = false;
    line_.text += text;
  }

  void EndLine() {
    std::ranges::replace(line_.text, '\n', ' ');
    is_broken_ = false;
    if (line_.text.empty()) {
      line_ = {};
      return;
    }
    line_.kind = BlockKind::kParagraph;
    if (is_row_) {
      line_.kind = BlockKind::kTableRow;
    } else if (is_code_) {
      line_.kind = BlockKind::kCode;
    } else if (heading_ > 0) {
      line_.kind = BlockKind::kHeading;
      line_.level = heading_;
    } else if (lists_ > 0) {
      line_.kind = BlockKind::kListItem;
      line_.level = static_cast<uint8_t>(std::min<uint64_t>(lists_, kDeepestLevel));
    } else if (quotes_ > 0) {
      line_.kind = BlockKind::kQuote;
    }
    blocks_.push_back(std::exchange(line_, {}));
  }

  const std::string_view text_;
  std::vector<OfficeBlock> blocks_;
  OfficeBlock line_;        // that is being read; its end is 0 before its first character
  bool is_broken_ = false;  // a line end of the source stands behind the line so far
  bool is_html_ = false, is_row_ = false, is_code_ = false;
  uint8_t heading_ = 0;
  uint64_t lists_ = 0, quotes_ = 0, cells_ = 0, html_blocks_ = 0;
  int pictures_ = 0;
};

}  // namespace

Result<ExtractedDocument> ExtractMarkdown(std::string_view bytes, const DocumentHints& hints) {
  ZHIWEN_ASSIGN_OR_RETURN(
      const DecodedText decoded,
      DecodedText::Decode(bytes, {.outer = hints.encoding, .asked = hints.asked_encoding}));
  ExtractedDocument document;
  document.type = DocumentType::kMarkdown;
  DescribeEncoding(decoded, document);
  MarkdownBlocks blocks(decoded.text());
  if (!blocks.Parse(TakeFrontMatter(decoded.text(), document))) {
    return Fail(ErrorCode::kExhausted, "it is too large to be read as Markdown");
  }
  if (blocks.html_blocks() > 0) {
    document.notes.push_back(fmt::format(
        "{} of HTML {} not in the text",
        blocks.html_blocks() == 1 ? "a block" : fmt::format("{} blocks", blocks.html_blocks()),
        blocks.html_blocks() == 1 ? "is" : "are"));
  }
  for (OfficeBlock& block : blocks.blocks()) {
    block.begin = decoded.SourceOffset(block.begin);
    block.end = decoded.SourceOffset(block.end);
  }
  ZHIWEN_RETURN_IF_ERROR(SetBlocks(blocks.blocks(), document));
  return document;
}

}  // namespace zhiwen
