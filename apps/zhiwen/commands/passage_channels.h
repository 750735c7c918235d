#ifndef ZHIWEN_APPS_ZHIWEN_COMMANDS_PASSAGE_CHANNELS_H_
#define ZHIWEN_APPS_ZHIWEN_COMMANDS_PASSAGE_CHANNELS_H_

// The channels on which compare looks for passages.

#include <cstddef>
#include <optional>
#include <vector>

#include "command_line/command.h"
#include "zhiwen/channel.h"
#include "zhiwen/compare.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct PassageChannels {
  std::vector<Channel> channels = {};
  std::vector<UnsearchedChannel> not_searched = {};

  // Returns what was searched, where only the first ones were needed.
  SearchedChannels Searched(size_t needed) const;
};

// Opens the chosen channel, or the folded one with those that undo disguises. A warning says where
// there is no language data for these.
Result<PassageChannels> OpenPassageChannels(const std::optional<Channel>& chosen,
                                            CommandContext& context);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMMANDS_PASSAGE_CHANNELS_H_
