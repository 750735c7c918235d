#include "commands/scheme_channel.h"

#include <fmt/format.h>

namespace zhiwen {

Result<std::string> AddChannel(std::string_view typed, std::string_view channel) {
  if (typed.find("channel=") != std::string_view::npos) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("\"{}\" names its channel; leave --channel out", typed));
  }
  const std::string parameter = fmt::format("channel={}", channel);
  const size_t open = typed.find('(');
  if (open == std::string_view::npos) return fmt::format("{}({})", typed, parameter);
  const std::string_view family = typed.substr(0, open);
  const std::string_view rest = typed.substr(open + 1);
  const bool empty = rest.starts_with(')');
  return fmt::format("{}({}{}{}", family, parameter, empty ? "" : ",", rest);
}

}  // namespace zhiwen
