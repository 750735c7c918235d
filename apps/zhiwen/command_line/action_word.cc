#include "command_line/action_word.h"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command_line/idle_options.h"

namespace zhiwen {
namespace {

// Longer lists of actions would leave no room beside them.
constexpr size_t kMostActionsShown = 50;

}  // namespace

ActionWord::ActionWord(std::string command, std::vector<std::string> actions)
    : command_(std::move(command)), actions_(std::move(actions)) {}

ArgumentSpec ActionWord::Argument(const std::string& files, std::string help) {
  const std::string actions = fmt::format("{}", fmt::join(actions_, "|"));
  const bool is_short = actions.size() <= kMostActionsShown;
  if (!is_short) help += fmt::format("; actions: {}", fmt::join(actions_, ", "));
  ArgumentSpec spec{(is_short ? actions : "ACTION") + " " + files, std::move(help), 2, SIZE_MAX,
                    &words_};
  spec.first = actions_;
  return spec;
}

Status ActionWord::Check() const {
  if (std::ranges::find(actions_, name()) != actions_.end()) return {};
  const std::span<const std::string> all = actions_;
  const std::string most = fmt::format("{}", fmt::join(all.first(all.size() - 1), ", "));
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("{} cannot \"{}\": it takes {}{}{}", command_, name(), most,
                          most.empty() ? "" : " or ", all.back()));
}

Result<std::string> ActionWord::OnlyInput() const {
  if (words_.size() == 2) return words_.back();
  return Fail(ErrorCode::kInvalidArgument, fmt::format("{} {} takes one file", command_, name()));
}

Status ActionWord::RefuseIdle(std::initializer_list<Option> options,
                              const std::set<std::string>& typed) const {
  const std::string why = fmt::format("with {} {}", command_, name());
  for (const auto& [option, actions] : options) {
    const bool is_idle = std::ranges::find(actions, name()) == actions.end();
    ZHIWEN_RETURN_IF_ERROR(zhiwen::RefuseIdle({{is_idle, option, why}}, typed));
  }
  return {};
}

}  // namespace zhiwen
