#ifndef ZHIWEN_TEXT_READING_READING_CHANNEL_H_
#define ZHIWEN_TEXT_READING_READING_CHANNEL_H_

// The channels that read a text aloud (docs/formats/channels.md): pinyin.v1, initials.v1,
// phonemes.v1. They map the units of the folded channel, and drop units without a reading.
//
// Cost        default readings run in the kernel of the folded channel, at its speed
// Fails       kUnreadable: language data without readings

#include "text/open_channel.h"

namespace zhiwen {

inline constexpr std::string_view kReadingValues[] = {"default", "phrase"};
inline constexpr ChannelParameter kPinyinParameters[] = {{"reading", kReadingValues}};

Result<Channel> OpenPinyin(const ChannelRequest& request);
Result<Channel> OpenInitials(const ChannelRequest& request);
Result<Channel> OpenPhonemes(const ChannelRequest& request);

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_READING_READING_CHANNEL_H_
