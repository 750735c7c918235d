#ifndef ZHIWEN_APPS_ZHIWEN_COMMANDS_SCHEME_CHANNEL_H_
#define ZHIWEN_APPS_ZHIWEN_COMMANDS_SCHEME_CHANNEL_H_

#include <string>
#include <string_view>

#include "zhiwen/result.h"

namespace zhiwen {

// Returns the scheme name `typed` with the parameter channel=… added: "minhash" becomes
// "minhash(channel=exact.v1)". Fails: kInvalidArgument when the name already has a channel.
Result<std::string> AddChannel(std::string_view typed, std::string_view channel);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMMANDS_SCHEME_CHANNEL_H_
