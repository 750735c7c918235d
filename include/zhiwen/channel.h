#ifndef ZHIWEN_CHANNEL_H_
#define ZHIWEN_CHANNEL_H_

// A channel is one view of a text as 32-bit symbols. Every scheme runs on any channel; a match
// names the channel that found it.
//
//   exact.v1     NFC, nothing dropped: one symbol a code point
//   folded.v3    per grapheme cluster: NFKC, case, width, traditional → simplified script (OpenCC
//                TSCharacters, first target), variants, look-alike letters; punctuation, format,
//                zero-width and white-space characters dropped, but operators, signs and code
//                brackets beside letters and digits kept (38/12 is not 38-12); one symbol a unit
//   folded.v2    without operators
//   folded.v1    without variants and look-alike letters, too
//   pinyin.v1    of folded.v2: syllables without tones, spelled or written; reading=default|phrase
//   initials.v1  their first letters
//   phonemes.v1  initial, final and tone of every character
//   loose.v1     folded.v2, and symbols between Han, number characters and slang do not count
//   regional.v1  folded.v2, then words of Taiwan as the mainland says them (OpenCC TWPhrasesRev)
//   shape.v1     folded.v2, split characters recomposed (氵州 → 洲), then look-alikes agree
//   variants.v1  folded.v2, then the words of a user's file replaced (MakeVariantsChannel)
//
// A unit is one Han character, kana, hangul syllable, one grapheme cluster of Thai, Lao, Khmer or
// Myanmar, one symbol, emoji or operator, or one run of letters and digits of another script. A
// unit of one code point is that code point as symbol; a longer one is a hash with the top bit set
// (docs/formats/channels.md).

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/offsets.h"
#include "zhiwen/result.h"
#include "zhiwen/user_file.h"

namespace zhiwen {

class ChannelView;  // what computes the symbols (src/text/channel_view.h)
class Language;     // zhiwen/language.h

// A channel that can be used: its name, and what it computes symbols with.
//
// Threads     const; copies are cheap and share what they hold
class Channel {
 public:
  Channel();  // FoldedChannel()
  explicit Channel(std::shared_ptr<const ChannelView> view) : view_(std::move(view)) {}

  // The canonical, versioned name: "folded.v3", "pinyin.v1(data=…,reading=default)". It identifies
  // the symbols.
  const std::string& name() const;
  const ChannelView& view() const { return *view_; }

  friend bool operator==(const Channel& a, const Channel& b) { return a.name() == b.name(); }

 private:
  std::shared_ptr<const ChannelView> view_;
};

// Returns "folded" for "folded.v3".
std::string_view ShortChannelName(std::string_view name);

const Channel& ExactChannel();
const Channel& FoldedChannel();    // the newest version
const Channel& FoldedV1Channel();  // folded.v1 and folded.v2, for values that were stored with
const Channel& FoldedV2Channel();  // them

// Opens the channel of a name as people type it, "folded", "folded.v1" or "pinyin(reading=phrase)",
// or of a canonical one; one of variants is made by MakeVariantsChannel. Fails: kInvalidArgument
// for an unknown name, listing what exists; kNotFound for a channel that needs `language` where
// there is none; kConflict when the name asks for other data than `language` is.
Result<Channel> OpenChannel(std::string_view name,
                            const std::shared_ptr<const Language>& language = nullptr);

// Makes the channel variants.v1(file=…): folded, and the words of a user's file replaced. A line
// of it is a word, spaces or tabs, and the word that stands for it. The name has a hash of what was
// read, so that comments and the order of the lines do not matter. Fails: kUnreadable, naming file,
// line and what to do.
Result<Channel> MakeVariantsChannel(const UserFile& file);

// One row of what exists.
struct ChannelDescription {
  std::string_view short_name;  // "folded"
  std::string_view name;        // "folded.v3"; without the data
  bool needs_language = false;
  std::string_view meaning;
  std::string_view parameters = {};  // "reading=default|phrase", the defaults first; or none
};

// The newest version of every channel, the default first.
std::span<const ChannelDescription> DescribeChannels();

// What a channel dropped or rewrote, evidence that a copy was disguised.
struct DisguiseCounts {
  uint64_t invisible = 0;      // zero-width, format and other default-ignorable characters dropped
  uint64_t compatibility = 0;  // characters that NFKC rewrote: full width, circled, ligatures
  uint64_t traditional = 0;    // characters that the script table rewrote
  uint64_t variants = 0;       // characters that a variant class rewrote: 著, 幹
  uint64_t look_alikes = 0;    // Greek and Cyrillic letters read as the Latin ones they look like
  uint64_t letter_case = 0;    // letters that case folding alone rewrote
  uint64_t symbols = 0;        // units of general category S*
  uint64_t inserted = 0;       // of those and of punctuation, between two Han without a space
  uint64_t spelled = 0;        // Latin runs read as syllables or initials
  uint64_t recomposed = 0;     // characters put together from their parts: 氵州
  uint64_t regional = 0;       // words of another region replaced: 網路
  uint64_t numbers = 0;        // number characters read as digits
  uint64_t slang = 0;          // characters of 火星文 rewritten
  uint64_t unread = 0;         // Han characters dropped, for they have no reading: 嗯

  friend bool operator==(const DisguiseCounts&, const DisguiseCounts&) = default;
};

// A row for everything that shows counts: the name in JSON, the noun for people.
struct DisguiseKind {
  std::string_view name;
  std::string_view noun;
  uint64_t DisguiseCounts::*count;
};
std::span<const DisguiseKind> DisguiseKinds();

// A text on a channel, with the source bytes of every symbol: the explaining form.
struct SpannedSymbols {
  std::vector<uint32_t> symbols;
  std::vector<ByteSpan> spans;  // spans[i] covers symbols[i] in the source; ascending
  DisguiseCounts disguise;
};

// Computes the symbols of `utf8` on `channel` with their spans. The symbols equal those of the fast
// form (text/channel_view.h) bit for bit. Fails: kUnreadable when `utf8` is not valid UTF-8, naming
// the byte.
Result<SpannedSymbols> ComputeSymbols(const Channel& channel, std::string_view utf8);

}  // namespace zhiwen

#endif  // ZHIWEN_CHANNEL_H_
