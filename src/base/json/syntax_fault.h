#ifndef ZHIWEN_BASE_JSON_SYNTAX_FAULT_H_
#define ZHIWEN_BASE_JSON_SYNTAX_FAULT_H_

// Finds where a JSON value is invalid. simdjson says what is wrong but not where, so a slower
// parser (nlohmann) reads the value again.

#include <cstddef>
#include <optional>
#include <string_view>

namespace zhiwen {

struct SyntaxFault {
  std::optional<size_t>
      byte;               // the first that does not fit, from 0; nothing when it cannot be told
  bool too_deep = false;  // the value nests deeper than `max_depth` before that byte
};

SyntaxFault FindSyntaxFault(std::string_view json, size_t max_depth);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_JSON_SYNTAX_FAULT_H_
