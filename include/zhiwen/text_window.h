#ifndef ZHIWEN_TEXT_WINDOW_H_
#define ZHIWEN_TEXT_WINDOW_H_

// A part of a text of any size, and what stands around it, so that the part can be looked at as if
// the whole text were there.
//
// In          an open file, plain, gzip or zstd, read once from front to back; what to take of it
// Out         TextWindow: the part with kWindowContext bytes on either side, or as many as there
//             are, and the rest of a character that these would cut; all places are bytes of the
//             text in UTF-8
// Guarantees  what was read can be decoded; the window begins and ends between characters
// Cost        reads up to a megabyte behind the window, and on to the end of a text of at most
//             count_bytes, to say how large it is; one whose size nobody knows before is read as
//             far in any case. Memory: most_bytes and some megabytes
// Threads     free function
// Fails       kInvalidArgument: the part begins behind the text, saying where that ends, or ends
//             before it begins; kUnreadable: the file cannot be read, or what is read of it is not
//             valid in its encoding, naming the byte; what `cancellation` says

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "zhiwen/environment.h"
#include "zhiwen/file_system.h"
#include "zhiwen/offsets.h"
#include "zhiwen/result.h"
#include "zhiwen/text_encoding.h"

namespace zhiwen {

inline constexpr uint64_t kWindowContext = uint64_t{1} << 16;  // bytes

enum class WindowUnit : uint8_t {
  kBytes,  // from 0; `last` is the first that does not belong to the part
  kLines,  // from 1; `last` belongs to it
};

// What to take of a text; what is behind its end does not count.
struct WindowOptions {
  std::string name = "the text";  // in messages of errors
  WindowUnit unit = WindowUnit::kLines;
  uint64_t first = 1, last = UINT64_MAX;
  uint64_t most_bytes = uint64_t{1} << 20;  // of the part; more is cut off; any number
  uint64_t count_bytes = uint64_t{1} << 28;
  // Not given: by the first bytes. A byte order mark says more than either.
  std::optional<TextEncoding> encoding = {};
};

struct TextWindow {
  std::string text;               // UTF-8
  ByteOffset begin = {0};         // of it in the whole text
  ByteSpan part = {{0}, {0}};     // in the whole text
  bool is_cut = false;            // most_bytes ended the part, and more of it follows
  uint64_t lines_before = 0;      // line ends before `begin`
  std::optional<uint64_t> bytes;  // of the whole text; nothing where nobody knows
  std::optional<uint64_t> lines;  // of the whole text; nothing where it was not read to its end
};

Result<TextWindow> ReadTextWindow(std::unique_ptr<ReadableFile> file, const WindowOptions& options,
                                  const Cancellation& cancellation);

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_WINDOW_H_
