#include "document/field_names.h"

#include <fmt/format.h>

namespace zhiwen {
namespace {

constexpr size_t kLongestName = 100;

}  // namespace

std::string QuoteNames(std::span<const std::string> names) {
  std::string out;
  size_t shown = 0;
  for (const std::string& name : names) {
    if (shown == kNamesShown) break;
    if (name.size() > kLongestName) continue;
    out += fmt::format("{}\"{}\"", shown++ == 0 ? "" : ", ", name);
  }
  const size_t more = names.size() - shown;
  if (more > 0) out += fmt::format("{}{} more", shown == 0 ? "" : " and ", more);
  return out;
}

}  // namespace zhiwen
