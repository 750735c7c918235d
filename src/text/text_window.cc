#include "zhiwen/text_window.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/compress/peeked_file.h"
#include "base/utf8/text_encoding.h"
#include "base/utf8/transcoder.h"
#include "base/utf8/utf8.h"

namespace zhiwen {
namespace {

constexpr size_t kPieceBytes = size_t{1} << 20;
constexpr size_t kLongestCharacter = 4;
constexpr uint64_t kFarthest = uint64_t{1} << 62;  // larger than any text

// Adds without wrapping around. Beyond kFarthest all offsets are equal.
uint64_t SumOf(uint64_t offset, uint64_t bytes) {
  return std::min(offset, kFarthest) + std::min(bytes, kFarthest);
}

uint64_t CountLineEnds(std::string_view bytes) {
  return static_cast<uint64_t>(std::ranges::count(bytes, '\n'));
}

// Takes the text piece by piece, and keeps the part that the window may still need.
class WindowReader {
 public:
  explicit WindowReader(const WindowOptions& options) : options_(options) {
    if (options.unit != WindowUnit::kBytes) return;
    begin_ = std::min(options.first, kFarthest);
    end_ = std::min(options.last, SumOf(*begin_, options.most_bytes));
    is_cut_ = end_ < options.last;
  }

  // Takes the next bytes. Fails for bytes that are not UTF-8. An incomplete character at the end
  // waits for the next bytes.
  Status Take(std::string_view piece) {
    if (!unchecked_.empty()) {
      unchecked_ += piece;
      piece = unchecked_;
    }
    const size_t valid = FindInvalidUtf8(piece);
    if (piece.size() - valid >= kLongestCharacter) return FailAt(valid, piece);
    Accept(piece.substr(0, valid));
    unchecked_ = std::string(piece.substr(valid));
    return {};
  }

  // Returns whether the following bytes are outside the window.
  bool has_window() const { return end_ && bytes_ >= *end_ + kWindowContext + kLongestCharacter; }
  uint64_t bytes() const { return bytes_; }

  // Returns the window once all wanted bytes were taken. `text_bytes` is the size of the text, if
  // its end was reached.
  Result<TextWindow> Finish(const std::optional<uint64_t>& text_bytes) && {
    if (text_bytes && !unchecked_.empty()) return Fail(FailAt(0, unchecked_));
    const uint64_t lines = line_ends_ + (bytes_ > 0 && last_byte_ != '\n' ? 1 : 0);
    if (text_bytes && (!begin_ || *begin_ >= bytes_) && !(bytes_ == 0 && IsFirst())) {
      return Fail(FailBehind(lines));
    }
    const uint64_t begin = begin_.value_or(0);
    const uint64_t end = std::min(end_.value_or(bytes_), bytes_);
    KeepAround(begin, end);
    TextWindow window;
    window.lines_before = line_ends_taken_ - line_ends_behind_ - CountLineEnds(kept_);
    window.text = std::move(kept_);
    window.begin = {kept_begin_};
    window.part = {{begin}, {end}};
    window.is_cut = is_cut_ && bytes_ > end;
    window.bytes = text_bytes;
    if (text_bytes) window.lines = lines;
    return window;
  }

 private:
  bool IsFirst() const { return options_.first == (options_.unit == WindowUnit::kLines ? 1 : 0); }

  Status FailAt(size_t invalid, std::string_view piece) const {
    return FailNotUtf8(options_.name, bytes_ + invalid, kept_ + std::string(piece));
  }

  Status FailBehind(uint64_t lines) const {
    const bool is_lines = options_.unit == WindowUnit::kLines;
    const std::string_view unit = is_lines ? "line" : "byte";
    const uint64_t size = is_lines ? lines : bytes_;
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("cannot show {} {} of \"{}\", which has {} {}{}", unit, options_.first,
                            options_.name, size, unit, size == 1 ? "" : "s"));
  }

  void Accept(std::string_view text) {
    if (text.empty()) return;
    const uint64_t line_ends = CountLineEnds(text);
    line_ends_ += line_ends;
    last_byte_ = text.back();
    if (!has_window()) {
      kept_ += text;
      line_ends_taken_ += line_ends;
      if (options_.unit == WindowUnit::kLines && !end_) FindLines(kept_.size() - text.size());
      bytes_ += text.size();
      Trim();
    } else {
      bytes_ += text.size();
    }
  }

  // Looks for the lines of the part from kept_[from] on.
  void FindLines(size_t from) {
    for (; line_ < options_.first; ++line_) {
      const size_t at = kept_.find('\n', from);
      if (at == std::string::npos) return;
      from = at + 1;
    }
    if (!begin_) begin_ = kept_begin_ + from;
    const uint64_t most = SumOf(*begin_, options_.most_bytes);
    for (; line_ <= options_.last && kept_begin_ + from < most; ++line_) {
      const size_t at = kept_.find('\n', from);
      if (at == std::string::npos) break;
      from = at + 1;
    }
    const bool has_all = line_ > options_.last;
    if (!has_all && kept_begin_ + kept_.size() <= most) return;
    end_ = has_all ? std::min(kept_begin_ + from, most) : most;
    is_cut_ = !has_all || kept_begin_ + from > most;
  }

  // Drops bytes that are too far before the part.
  void Trim() {
    const uint64_t begin = std::min(begin_.value_or(bytes_), bytes_);
    if (begin < kept_begin_ + kWindowContext + kPieceBytes) return;
    DropTo(begin - kWindowContext - kept_begin_);
  }

  // Drops the bytes before the character that contains kept_[at].
  void DropTo(size_t at) {
    while (at > 0 && IsContinuation(kept_[at])) --at;
    kept_.erase(0, at);
    kept_begin_ += at;
  }

  // Drops bytes outside the window.
  void KeepAround(uint64_t begin, uint64_t end) {
    size_t last = std::min<uint64_t>(kept_.size(), end + kWindowContext - kept_begin_);
    while (last < kept_.size() && IsContinuation(kept_[last])) ++last;
    line_ends_behind_ = CountLineEnds(std::string_view(kept_).substr(last));
    kept_.resize(last);
    const uint64_t before = begin - kept_begin_;
    if (before > kWindowContext) DropTo(before - kWindowContext);
  }

  const WindowOptions& options_;
  std::string unchecked_;  // start of an incomplete character
  std::string kept_;
  uint64_t kept_begin_ = 0;
  uint64_t bytes_ = 0;             // accepted bytes
  uint64_t line_ends_ = 0;         // line ends in the accepted bytes
  uint64_t line_ends_taken_ = 0;   // line ends in the bytes that were kept for a while
  uint64_t line_ends_behind_ = 0;  // of these, line ends after the window
  char last_byte_ = '\n';
  std::optional<uint64_t> begin_, end_;  // bounds of the part, as far as they are known
  bool is_cut_ = false;
  uint64_t line_ = 1;  // number of the next line to find
};

// Reads a text as UTF-8, whatever its encoding.
class TextPieces {
 public:
  TextPieces(std::unique_ptr<ByteSource> source, const WindowOptions& options)
      : source_(std::move(source)), options_(options), piece_(kPieceBytes, '\0') {}

  // Returns the next bytes of the text, which live until the next call.
  Result<std::string_view> Next() {
    ZHIWEN_ASSIGN_OR_RETURN(const size_t count, source_->Read(piece_));
    at_end_ = count < piece_.size();
    const std::string_view bytes = std::string_view(piece_).substr(0, count);
    if (is_first_) ZHIWEN_RETURN_IF_ERROR(FindEncoding(bytes));
    is_first_ = false;
    if (!decoder_) return bytes;
    rest_ += bytes;
    text_.clear();
    const size_t decoded = decoder_->Decode(rest_, text_);
    const size_t left = rest_.size() - decoded;
    if (left >= kLongestCharacter || (at_end_ && left > 0)) {
      return Fail(ErrorCode::kUnreadable,
                  fmt::format("cannot read \"{}\": not valid {} at byte {}", options_.name,
                              TextEncodingName(decoder_->encoding()), bytes_ + decoded));
    }
    bytes_ += decoded;
    rest_.erase(0, decoded);
    return std::string_view(text_);
  }

  bool at_end() const { return at_end_; }
  bool is_utf8() const { return !decoder_; }

 private:
  Status FindEncoding(std::string_view bytes) {
    const TextEncoding encoding =
        ChooseTextEncoding(bytes, at_end_ ? HeadEnd::kFile : HeadEnd::kCut, options_.encoding);
    if (encoding == TextEncoding::kUtf8) return {};
    ZHIWEN_ASSIGN_OR_RETURN(decoder_, TextDecoder::Create(encoding));
    return {};
  }

  const std::unique_ptr<ByteSource> source_;
  const WindowOptions& options_;
  std::string piece_;
  std::optional<TextDecoder> decoder_;  // none: UTF-8
  std::string rest_;                    // bytes of a character whose end is still to come
  std::string text_;
  uint64_t bytes_ = 0;  // decoded
  bool is_first_ = true, at_end_ = false;
};

}  // namespace

Result<TextWindow> ReadTextWindow(std::unique_ptr<ReadableFile> file, const WindowOptions& options,
                                  const Cancellation& cancellation) {
  if (options.last < options.first) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("cannot show {} to {} of \"{}\", which ends before it begins",
                            options.first, options.last, options.name));
  }
  ZHIWEN_ASSIGN_OR_RETURN(const FileIdentity identity, file->Identity());
  ZHIWEN_ASSIGN_OR_RETURN(PeekedFile peeked, PeekFile(std::move(file)));
  ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<ByteSource> source,
                          OpenByteSource(std::move(peeked.file), peeked.compression));
  TextPieces pieces(std::move(source), options);
  const bool has_size = peeked.compression == Compression::kNone && identity.size > 0;
  const bool is_counted = !has_size || identity.size <= options.count_bytes;
  WindowReader reader(options);
  while (!reader.has_window() || (is_counted && reader.bytes() <= options.count_bytes)) {
    ZHIWEN_RETURN_IF_ERROR(cancellation.Check());
    ZHIWEN_ASSIGN_OR_RETURN(const std::string_view piece, pieces.Next());
    ZHIWEN_RETURN_IF_ERROR(reader.Take(piece));
    const uint64_t bytes = reader.bytes();
    if (pieces.at_end()) return std::move(reader).Finish(bytes);
  }
  ZHIWEN_ASSIGN_OR_RETURN(TextWindow window, std::move(reader).Finish(std::nullopt));
  if (has_size && pieces.is_utf8()) window.bytes = identity.size;
  return window;
}

}  // namespace zhiwen
