#include "commands/passage_channels.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace zhiwen {
namespace {

constexpr std::array<std::string_view, 3> kUndoDisguises = {"pinyin", "shape", "initials"};

}  // namespace

SearchedChannels PassageChannels::Searched(size_t needed) const {
  SearchedChannels searched;
  searched.not_searched = not_searched;
  for (size_t i = 0; i < channels.size(); ++i) {
    if (i < needed) {
      searched.channels.push_back(channels[i].name());
    } else {
      searched.not_searched.push_back({channels[i].name(), NotSearched::kNotNeeded});
    }
  }
  return searched;
}

Result<PassageChannels> OpenPassageChannels(const std::optional<Channel>& chosen,
                                            CommandContext& context) {
  PassageChannels opened = {.channels = {chosen.value_or(FoldedChannel())}};
  if (chosen) {
    const std::string_view own = ShortChannelName(chosen->name());
    if (own != "folded") opened.not_searched.push_back({"folded", NotSearched::kNotAsked});
    for (const std::string_view name : kUndoDisguises) {
      if (own == name) continue;
      opened.not_searched.push_back({std::string(name), NotSearched::kNotAsked});
    }
    return opened;
  }
  for (const std::string_view name : kUndoDisguises) {
    Result<Channel> channel = context.language.OpenChannel(name);
    if (channel) {
      opened.channels.push_back(*std::move(channel));
      continue;
    }
    if (channel.error().code != ErrorCode::kNotFound) return Fail(std::move(channel));
    if (opened.not_searched.empty()) {
      context.console.PrintWarning("passages that sound or look alike are not looked for: " +
                                   channel.error().message);
    }
    opened.not_searched.push_back({std::string(name), NotSearched::kNoLanguageData});
  }
  return opened;
}

}  // namespace zhiwen
