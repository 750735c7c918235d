#ifndef ZHIWEN_TEXT_OPEN_CHANNEL_H_
#define ZHIWEN_TEXT_OPEN_CHANNEL_H_

// Types for the rows of open_channel.cc. Each channel that has parameters or needs language data
// provides a function Result<Channel> OpenX(const ChannelRequest&).

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "zhiwen/channel.h"
#include "zhiwen/language.h"

namespace zhiwen {

// The values of every yes-or-no parameter, also of schemes.
inline constexpr std::string_view kYesOrNo[] = {"yes", "no"};

struct ChannelParameter {
  std::string_view key;
  std::span<const std::string_view> values;  // possible values, the default first
};

// A parsed channel name.
struct ChannelRequest {
  std::shared_ptr<const Language> language;                // not null where the channel needs it
  std::map<std::string, std::string, std::less<>> values;  // every parameter, including "data"

  // Returns the versioned name with every parameter, sorted by key:
  // "pinyin.v1(data=…,reading=default)".
  std::string CanonicalName(std::string_view versioned_name) const;
};

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_OPEN_CHANNEL_H_
