#ifndef ZHIWEN_DOCUMENT_FIELD_NAMES_H_
#define ZHIWEN_DOCUMENT_FIELD_NAMES_H_

// Formats the names of fields for messages.

#include <cstddef>
#include <span>
#include <string>

namespace zhiwen {

// The number of names that a message lists; further names are only counted.
inline constexpr size_t kNamesShown = 20;

// Returns text such as `"title", "body" and 3 more`. A name of more than 100 bytes is only counted.
std::string QuoteNames(std::span<const std::string> names);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_FIELD_NAMES_H_
