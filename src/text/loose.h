#ifndef ZHIWEN_TEXT_LOOSE_H_
#define ZHIWEN_TEXT_LOOSE_H_

// The channel loose.v1 is folded.v2 after steps that a reader does without thinking. Each step has
// a price, and each can be left out (docs/formats/channels.md):
//
//   drop_symbols   symbols between two Han characters are dropped: 习★近 = 习近
//   numbers        number characters and digits beside them form one run: 二〇一六 = 2016
//   slang          characters of 火星文 are replaced: 莪 = 我
//
// Guarantees  texts without a line end that are equal on folded.v2 are equal here

#include "text/open_channel.h"

namespace zhiwen {

inline constexpr ChannelParameter kLooseParameters[] = {
    {"drop_symbols", kYesOrNo}, {"numbers", kYesOrNo}, {"slang", kYesOrNo}};

Result<Channel> OpenLoose(const ChannelRequest& request);

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_LOOSE_H_
