#ifndef ZHIWEN_INDEX_CODES_CODE_CHANGES_H_
#define ZHIWEN_INDEX_CODES_CODE_CHANGES_H_

// Decodes the bytes of CodeChanges, which are those of a record of the log:
// docs/formats/code_index.md.

#include <cstdint>
#include <functional>
#include <string_view>

#include "zhiwen/code_index.h"
#include "zhiwen/result.h"

namespace zhiwen {

// The numbers are persisted.
enum class CodeAction : uint8_t { kAdd = 0, kRemoveRow = 1, kRemoveCode = 2, kRemoveLabel = 3 };

struct CodeChange {
  CodeAction action = CodeAction::kAdd;
  uint64_t code = 0;       // unused for kRemoveLabel
  std::string_view label;  // a view of the bytes; unused for kRemoveCode
};

// Calls visit(change) for each change. Fails: kUnreadable when the bytes are not valid changes.
Status VisitChanges(std::string_view bytes,
                    const std::function<void(const CodeChange& change)>& visit);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_CODES_CODE_CHANGES_H_
