#ifndef ZHIWEN_BASE_JSON_SYNTAX_FAULT_H_
#define ZHIWEN_BASE_JSON_SYNTAX_FAULT_H_

// Where a JSON value is broken. simdjson tells what is wrong but not where: a slower parser
// (nlohmann) reads the value again.

#include <cstddef>
#include <optional>
#include <string_view>

namespace zhiwen {

struct SyntaxFault {
  std::optional<size_t>
      byte;               // the first that does not fit, from 0; nothing when it cannot be told
  bool too_deep = false;  // containers beyond `max_depth` come before it
};

SyntaxFault FindSyntaxFault(std::string_view json, size_t max_depth);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_JSON_SYNTAX_FAULT_H_
