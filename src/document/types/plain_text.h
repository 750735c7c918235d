#ifndef ZHIWEN_DOCUMENT_TYPES_PLAIN_TEXT_H_
#define ZHIWEN_DOCUMENT_TYPES_PLAIN_TEXT_H_

#include <string_view>

#include "zhiwen/extract.h"
#include "zhiwen/result.h"

namespace zhiwen {

// The lines of a plain text that have a character beside white space, each a block.
Result<ExtractedDocument> ExtractPlainText(std::string_view bytes, const DocumentHints& hints);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_TYPES_PLAIN_TEXT_H_
