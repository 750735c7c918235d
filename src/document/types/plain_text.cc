#include "document/types/plain_text.h"

#include <algorithm>

#include "base/utf8/ascii.h"
#include "document/decoded_text.h"

namespace zhiwen {

Result<ExtractedDocument> ExtractPlainText(std::string_view bytes, const DocumentHints& hints) {
  ZHIWEN_ASSIGN_OR_RETURN(
      const DecodedText decoded,
      DecodedText::Decode(bytes, {.outer = hints.encoding, .asked = hints.asked_encoding}));
  ExtractedDocument document;
  document.type = DocumentType::kText;
  DescribeEncoding(decoded, document);
  const std::string_view text = decoded.text();
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = Trim(text.substr(at, end - at), kLineBlanks);
    at = end + 1;
    if (line.empty()) continue;
    if (!document.text.empty()) document.text += '\n';
    const auto begin = static_cast<size_t>(line.data() - text.data());
    document.blocks.push_back(
        {.text = {ByteOffset{document.text.size()}, ByteOffset{document.text.size() + line.size()}},
         .source = {ByteOffset{decoded.SourceOffset(begin)},
                    ByteOffset{decoded.SourceOffset(begin + line.size())}}});
    document.text += line;
  }
  document.kind = document.text.empty() ? ExtractedKind::kEmpty : ExtractedKind::kArticle;
  document.share = document.text.empty() ? 0 : 1;
  return document;
}

}  // namespace zhiwen
