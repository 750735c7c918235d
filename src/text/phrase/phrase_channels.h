#ifndef ZHIWEN_TEXT_PHRASE_PHRASE_CHANNELS_H_
#define ZHIWEN_TEXT_PHRASE_PHRASE_CHANNELS_H_

// The rows of text/open_channel.cc for channels with phrases. They fail with kUnreadable where a
// section of the language data is invalid.

#include "text/open_channel.h"

namespace zhiwen {

Result<Channel> OpenRegional(const ChannelRequest& request);
Result<Channel> OpenShape(const ChannelRequest& request);

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_PHRASE_PHRASE_CHANNELS_H_
