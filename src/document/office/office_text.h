#ifndef ZHIWEN_DOCUMENT_OFFICE_OFFICE_TEXT_H_
#define ZHIWEN_DOCUMENT_OFFICE_OFFICE_TEXT_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/extract.h"
#include "zhiwen/result.h"

namespace zhiwen {

// A paragraph or row as a reader of a format makes it, before it is a line of a text.
struct OfficeBlock {
  BlockKind kind = BlockKind::kParagraph;
  uint8_t level = 0;
  uint64_t begin = 0, end = 0;  // of its element in the member
  std::string text = {};        // line ends part it into lines
};

inline constexpr size_t kMostOfficeBlocks = 2'000'000;

// Appends `text` as a document shows it: line ends and tabs of a file are white space there, and
// hyphens that only a line end would show are left out.
void AppendShownText(std::string_view text, std::string& out);

// Appends `text` where white space of a file is one space, if any: behind text that has none.
void AppendCollapsed(std::string_view text, std::string& out);

// `text` without blanks at its ends, on one line.
std::string OnOneLine(std::string_view text);

// The blocks of several members, whose sources count as if the members stood one behind another.
class MemberBlocks {
 public:
  // Adds those of a member of `size` bytes.
  void Add(std::string_view path, uint64_t size, std::vector<OfficeBlock> blocks);

  // Sets the member, the text and the blocks of `document`. Fails as SetBlocks.
  Status Finish(ExtractedDocument& document) const;

 private:
  std::vector<OfficeBlock> blocks_;
  std::string paths_;
  uint64_t bytes_ = 0;
};

// Makes text and blocks of `document` from `blocks`, without those that are empty, and its kind and
// share with them. Fails: kExhausted for more blocks than kMostOfficeBlocks, or a text of more than
// kMostUnpackedBytes.
Status SetBlocks(std::span<const OfficeBlock> blocks, ExtractedDocument& document);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_OFFICE_OFFICE_TEXT_H_
