#ifndef ZHIWEN_INSPECT_H_
#define ZHIWEN_INSPECT_H_

// A text as every channel sees it, side by side: with this a user understands a match, and a
// developer finds out why there is none.
//
// In          a text in UTF-8, the channels, perhaps a segmenter, the bytes to look at
// Out         Inspection: the text cut into units that no symbol of any channel crosses, and for
//             each channel the symbols with their names, bytes and counts of disguise
// Guarantees  channels and segmenter look at the lines of the part, from where they begin to where
//             they end, but at most kWindowContext bytes beyond it: the symbols and words are those
//             of the whole text. In a line that is longer they are those of a text that begins and
//             ends there: phrases and words, which are found from left to right, may be others
// Cost        linear in the part and those lines; a whole text is read once, to be sure that it is
//             UTF-8 and to count its lines. About 40 bytes a byte of the part and channel
// Threads     free functions
// Fails       kUnreadable: the text is not valid UTF-8, naming it and the byte; kInvalidArgument:
//             the part begins behind the text

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/channel.h"
#include "zhiwen/offsets.h"
#include "zhiwen/result.h"
#include "zhiwen/segmenter.h"
#include "zhiwen/text_window.h"

namespace zhiwen {

struct InspectOptions {
  std::string name = "the text";               // in messages of errors
  std::vector<Channel> channels;               // what to show, in this order
  std::shared_ptr<const Segmenter> segmenter;  // null: no tokens
  ByteSpan part = {{0}, {UINT64_MAX}};         // what to look at; may end behind the text
};

// What one channel sees of the part.
struct InspectedChannel {
  Channel channel;
  std::vector<uint32_t> symbols;
  std::vector<std::string> names;  // names[i] is symbols[i] for people
  std::vector<ByteSpan> spans;     // of symbols[i] in the text
  DisguiseCounts disguise;         // of the part
  bool reads_chinese_only = false;
};

// Bytes of the text that no symbol crosses: one character, or as many as one symbol stands for.
struct InspectedUnit {
  ByteSpan bytes;
  std::vector<SymbolSpan> symbols;  // of each channel; an empty one where it dropped them
};

// All offsets are in the whole text.
struct Inspection {
  std::optional<uint64_t> bytes, lines;  // of the whole text; nothing where nobody knows
  ByteSpan part;                         // what was looked at: whole units
  uint64_t first_line = 1;               // the line that the part begins in, from 1
  bool is_line_start = true;             // whether it begins where that line does
  bool has_han = false;                  // whether the part has Chinese
  std::vector<InspectedUnit> units;
  std::vector<InspectedChannel> channels;
  std::vector<Token> tokens;  // those that begin in the part, with tags; none without a segmenter

  // What was inspected, which must live as long, and where it begins.
  std::string_view source;
  ByteOffset source_begin = {0};
  std::string_view TextOf(ByteSpan bytes_of_text) const {
    return source.substr(bytes_of_text.begin - source_begin, bytes_of_text.size());
  }
};

// Whether a text has a Han character.
bool HasHan(std::string_view utf8);

// Inspects a whole text.
Result<Inspection> InspectText(std::string_view utf8, const InspectOptions& options);

// Inspects the part that the window was read for; options.part does not count.
Result<Inspection> InspectText(const TextWindow& window, const InspectOptions& options);

}  // namespace zhiwen

#endif  // ZHIWEN_INSPECT_H_
