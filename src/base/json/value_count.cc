#include "base/json/value_count.h"

namespace zhiwen {
namespace {

// Returns the position after the string whose opening quotation mark is at `begin`.
size_t SkipString(std::string_view json, size_t begin) {
  size_t end = begin;
  while (true) {
    const size_t quote = json.find('"', end + 1);
    if (quote == std::string_view::npos) return json.size();
    size_t backslashes = 0;
    while (json[quote - 1 - backslashes] == '\\') ++backslashes;
    end = quote;
    if (backslashes % 2 == 0) return end + 1;
  }
}

}  // namespace

uint64_t CountJsonValues(std::string_view json) {
  uint64_t values = 0;
  for (size_t at = 0; at < json.size();) {
    const char c = json[at];
    if (c == '"') {
      at = SkipString(json, at);
      continue;
    }
    values += c == ',' || c == ':' || c == '[' || c == '{' ? 1 : 0;
    ++at;
  }
  return values;
}

}  // namespace zhiwen
