#ifndef ZHIWEN_FUZZ_BYTE_SOURCE_CHECK_H_
#define ZHIWEN_FUZZ_BYTE_SOURCE_CHECK_H_

// What holds for any bytes taken for a compressed file: they are a content or an error that names
// the file and a byte in it, and both are the same whatever is read at once.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/compress/byte_source.h"
#include "require.h"

namespace zhiwen {

// Bombs are read up to here.
inline constexpr size_t kFuzzedContent = size_t{1} << 18;

class FuzzedFile final : public ReadableFile {
 public:
  explicit FuzzedFile(std::string_view bytes) : bytes_(bytes) {}
  Result<size_t> ReadAt(uint64_t offset, std::span<char> out) const override {
    const std::string_view rest = bytes_.substr(std::min<uint64_t>(offset, bytes_.size()));
    const size_t count = std::min(rest.size(), out.size());
    std::memcpy(out.data(), rest.data(), count);
    return count;
  }
  Result<FileIdentity> Identity() const override { return FileIdentity{.size = bytes_.size()}; }
  const std::string& path() const override { return path_; }

 private:
  std::string_view bytes_;
  std::string path_ = "fuzzed";
};

struct FuzzedReading {
  std::string content;  // up to kFuzzedContent
  std::string error;    // empty: the stream ended, or was left
  friend bool operator==(const FuzzedReading&, const FuzzedReading&) = default;
};

inline FuzzedReading ReadFuzzed(std::string_view bytes, Compression compression, size_t at_once,
                                size_t piece_bytes) {
  const auto source = OpenByteSource(std::make_unique<FuzzedFile>(bytes), compression,
                                     {.max_window_bytes = 1 << 20, .piece_bytes = piece_bytes})
                          .value();
  FuzzedReading reading;
  // Exactly as large as what is read at once, so that a byte written beyond is seen.
  const std::unique_ptr<char[]> out(new char[at_once + 1]);
  out[at_once] = '#';
  while (reading.content.size() < kFuzzedContent) {
    const auto count = source->Read({out.get(), at_once});
    Require(out[at_once] == '#');
    if (!count) {
      reading.error = count.error().message;
      Require(count.error().code == ErrorCode::kUnreadable ||
              count.error().code == ErrorCode::kExhausted);
      Require(reading.error.starts_with("cannot read \"fuzzed\": "));
      Require(reading.error.find(" at byte ") != std::string::npos);
      break;
    }
    reading.content.append(out.get(), *count);
    if (*count < at_once) {
      Require(source->file_bytes_read() == bytes.size());
      break;
    }
  }
  return reading;
}

// An error without its last words: which of several causes libzstd names first depends on whether
// all of a frame is there at once.
inline std::string_view WithoutCause(std::string_view error) {
  const size_t place = error.find(" at byte ");
  return error.substr(0, error.find_first_of(":,", std::min(place, error.size())));
}

// Reads the rest of `data` in two ways, which its first byte chooses.
inline FuzzedReading CheckByteSource(std::string_view data, Compression compression) {
  const auto choice = static_cast<unsigned char>(data.empty() ? '\0' : data.front());
  const std::string_view bytes = data.substr(std::min<size_t>(1, data.size()));
  const FuzzedReading whole = ReadFuzzed(bytes, compression, kFuzzedContent, 1 << 18);
  const size_t at_once = size_t{1} << choice % 16;
  FuzzedReading parts = ReadFuzzed(bytes, compression, at_once, 32 + choice / 16);
  // Where reading stopped early, the rest was not looked at.
  const bool left =
      parts.content.size() >= kFuzzedContent || whole.content.size() >= kFuzzedContent;
  Require(left || WithoutCause(parts.error) == WithoutCause(whole.error));
  // A failing Read gives nothing of what it had, so that small ones give more.
  const size_t both = std::min(parts.content.size(), whole.content.size());
  Require(parts.content.compare(0, both, whole.content, 0, both) == 0);
  Require(left || !whole.error.empty() || parts == whole);
  return parts;
}

}  // namespace zhiwen

#endif  // ZHIWEN_FUZZ_BYTE_SOURCE_CHECK_H_
