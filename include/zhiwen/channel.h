#ifndef ZHIWEN_CHANNEL_H_
#define ZHIWEN_CHANNEL_H_

// A channel is one view of a text as 32-bit symbols. Every scheme runs on any channel; a match
// names the channel that found it.
//
//   exact.v1    NFC, nothing dropped: one symbol a code point
//   folded.v1   per grapheme cluster: NFKC, case, width, traditional → simplified script (OpenCC
//               TSCharacters, first target); punctuation, format, zero-width and white-space
//               characters dropped; one symbol a unit
//
// A unit is one Han character, kana, hangul syllable, one grapheme cluster of Thai, Lao, Khmer or
// Myanmar, one symbol or emoji, or one run of letters and digits of another script. A unit of one
// code point is that code point as symbol; a longer one is a hash with the top bit set
// (docs/formats/channels.md).

#include <cstdint>
#include <string_view>
#include <vector>

#include "zhiwen/offsets.h"
#include "zhiwen/result.h"

namespace zhiwen {

enum class Channel : uint8_t { kExact, kFolded };

// The canonical, versioned name: "folded.v1".
std::string_view ChannelName(Channel channel);

// Accepts "folded" (the newest version) and "folded.v1". Fails: kInvalidArgument, listing what
// exists.
Result<Channel> ParseChannel(std::string_view name);

// What a channel dropped or rewrote, evidence that a copy was disguised.
struct DisguiseCounts {
  uint64_t invisible = 0;      // zero-width, format and other default-ignorable characters dropped
  uint64_t compatibility = 0;  // characters that NFKC rewrote: full width, circled, ligatures
  uint64_t traditional = 0;    // characters that the script table rewrote
  uint64_t letter_case = 0;    // letters that case folding alone rewrote
  uint64_t symbols = 0;        // units of general category S*

  friend bool operator==(const DisguiseCounts&, const DisguiseCounts&) = default;
};

// A text on a channel, with the source bytes of every symbol: the explaining form.
struct SpannedSymbols {
  std::vector<uint32_t> symbols;
  std::vector<ByteSpan> spans;  // spans[i] covers symbols[i] in the source; ascending
  DisguiseCounts disguise;
};

// Computes the symbols of `utf8` on `channel` with their spans. The symbols equal those of the fast
// form (text/fold.h) bit for bit. Fails: kUnreadable when `utf8` is not valid UTF-8, naming the
// byte.
Result<SpannedSymbols> ComputeSymbols(Channel channel, std::string_view utf8);

}  // namespace zhiwen

#endif  // ZHIWEN_CHANNEL_H_
