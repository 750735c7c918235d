#ifndef ZHIWEN_DOCUMENT_FIELD_NAMES_H_
#define ZHIWEN_DOCUMENT_FIELD_NAMES_H_

// The names of fields as messages show them.

#include <cstddef>
#include <span>
#include <string>

namespace zhiwen {

// Names that a message lists; what is beyond is counted.
inline constexpr size_t kNamesShown = 20;

// Returns "title", "body" and 3 more, each name in quotes. A name of more than 100 bytes is counted
// only.
std::string QuoteNames(std::span<const std::string> names);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_FIELD_NAMES_H_
