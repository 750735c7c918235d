#ifndef ZHIWEN_TEXT_PHRASE_PHRASE_CHANNELS_H_
#define ZHIWEN_TEXT_PHRASE_PHRASE_CHANNELS_H_

// The rows of text/open_channel.cc that are made of phrases. Fail: kUnreadable where a section of
// the language data cannot be what it is.

#include "text/open_channel.h"

namespace zhiwen {

Result<Channel> OpenRegional(const ChannelRequest& request);
Result<Channel> OpenShape(const ChannelRequest& request);

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_PHRASE_PHRASE_CHANNELS_H_
