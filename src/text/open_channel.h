#ifndef ZHIWEN_TEXT_OPEN_CHANNEL_H_
#define ZHIWEN_TEXT_OPEN_CHANNEL_H_

// What the rows of open_channel.cc are made of: each channel that has parameters or needs language
// data brings a function Result<Channel> OpenX(const ChannelRequest&).

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "zhiwen/channel.h"
#include "zhiwen/language.h"

namespace zhiwen {

// Of every choice that is one, of schemes, too.
inline constexpr std::string_view kYesOrNo[] = {"yes", "no"};

struct ChannelParameter {
  std::string_view key;
  std::span<const std::string_view> values;  // what it may be, the default first
};

// A name that was understood.
struct ChannelRequest {
  std::shared_ptr<const Language> language;                // not null where the channel needs it
  std::map<std::string, std::string, std::less<>> values;  // every parameter, "data" with them

  // "pinyin.v1(data=…,reading=default)": the versioned name with every parameter, the keys sorted.
  std::string CanonicalName(std::string_view versioned_name) const;
};

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_OPEN_CHANNEL_H_
