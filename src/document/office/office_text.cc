#include "document/office/office_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/utf8/ascii.h"
#include "document/office/zip_archive.h"

namespace zhiwen {
namespace {

constexpr std::string_view kSoftHyphen = "\u00AD";

// Whether only ideographic and other wide blanks are in a line.
bool IsBlankLine(std::string_view line) {
  while (!line.empty()) {
    if (line.starts_with("\u3000") || line.starts_with("\uFEFF") || line.starts_with("\u200B")) {
      line.remove_prefix(3);
    } else if (line.starts_with("\u00A0")) {
      line.remove_prefix(2);
    } else if (line.front() == ' ' || line.front() == '\t') {
      line.remove_prefix(1);
    } else {
      return false;
    }
  }
  return true;
}

Status AddLine(const OfficeBlock& block, std::string_view line, ExtractedDocument& document) {
  if (document.blocks.size() >= kMostOfficeBlocks) {
    return Fail(ErrorCode::kExhausted, fmt::format("a document of more than {} paragraphs is not "
                                                   "read",
                                                   kMostOfficeBlocks));
  }
  if (document.text.size() + line.size() >= kMostUnpackedBytes) {
    return Fail(ErrorCode::kExhausted, fmt::format("a document with a text of more than {} MiB is "
                                                   "not read",
                                                   kMostUnpackedBytes >> 20));
  }
  if (!document.text.empty()) document.text += '\n';
  const uint64_t begin = document.text.size();
  document.text += line;
  document.blocks.push_back({.kind = block.kind,
                             .level = block.level,
                             .text = {ByteOffset{begin}, ByteOffset{document.text.size()}},
                             .source = {ByteOffset{block.begin}, ByteOffset{block.end}}});
  return {};
}

}  // namespace

void AppendShownText(std::string_view text, std::string& out) {
  for (size_t i = 0; i < text.size();) {
    if (text.substr(i).starts_with(kSoftHyphen)) {
      i += kSoftHyphen.size();
      continue;
    }
    const char c = text[i++];
    out += c == '\n' || c == '\r' || c == '\t' ? ' ' : c;
  }
}

std::string OnOneLine(std::string_view text) {
  std::string line(Trim(text, kLineBlanks));
  std::ranges::replace(line, '\n', ' ');
  return line;
}

void AppendCollapsed(std::string_view text, std::string& out) {
  for (const char c : text) {
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r') {
      out += c;
    } else if (!out.empty() && out.back() != ' ' && out.back() != '\n') {
      out += ' ';
    }
  }
}

void MemberBlocks::Add(std::string_view path, uint64_t size, std::vector<OfficeBlock> blocks) {
  for (OfficeBlock& block : blocks) {
    block.begin += bytes_;
    block.end += bytes_;
    blocks_.push_back(std::move(block));
  }
  paths_.append(paths_.empty() ? "" : "\n").append(path);
  bytes_ += size;
}

Status MemberBlocks::Finish(ExtractedDocument& document) const {
  document.member = paths_;
  return SetBlocks(blocks_, document);
}

Status SetBlocks(std::span<const OfficeBlock> blocks, ExtractedDocument& document) {
  for (const OfficeBlock& block : blocks) {
    for (std::string_view rest = block.text; !rest.empty();) {
      const size_t end = std::min(rest.find('\n'), rest.size());
      const std::string_view line = Trim(rest.substr(0, end), kLineBlanks);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (!IsBlankLine(line)) ZHIWEN_RETURN_IF_ERROR(AddLine(block, line, document));
    }
  }
  document.kind = document.text.empty() ? ExtractedKind::kEmpty : ExtractedKind::kArticle;
  document.share = document.text.empty() ? 0 : 1;
  return {};
}

}  // namespace zhiwen
