#include "document/html/page_encoding.h"

#include <algorithm>
#include <array>

#include "base/utf8/text_encoding.h"
#include "base/utf8/transcoder.h"
#include "base/utf8/utf8.h"
#include "document/html/html_text.h"

namespace zhiwen {
namespace {

constexpr size_t kDeclarationBytes = 4096;
constexpr size_t kDetectedBytes = size_t{1} << 15;
constexpr size_t kPieceBytes = 1024;
constexpr size_t kLongestCharacter = 4;
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool IsNamePart(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
         c == '_';
}

char LowerCase(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool EqualsName(std::string_view name, std::string_view lower_case) {
  return std::ranges::equal(name, lower_case, {}, LowerCase);
}

bool IsLatin(std::string_view name) {
  constexpr std::array<std::string_view, 5> kNames = {"windows-1252", "iso-8859-1", "cp1252",
                                                      "latin1", "us-ascii"};
  return std::ranges::any_of(kNames,
                             [&](std::string_view known) { return EqualsName(name, known); });
}

// The first place of `word`, in any case, from `at` on.
size_t FindWord(std::string_view text, std::string_view word, size_t at) {
  const auto found =
      std::ranges::search(text.substr(std::min(at, text.size())), word, {}, LowerCase);
  return found.empty() ? std::string_view::npos : static_cast<size_t>(found.data() - text.data());
}

// Encodings that have ASCII in place: what a page can declare in readable letters.
std::optional<TextEncoding> ReadableEncoding(std::string_view name) {
  const Result<std::optional<TextEncoding>> parsed = ParseTextEncoding(name);
  if (!parsed || !*parsed || IsUtf16(**parsed) || **parsed == TextEncoding::kUtf16) return {};
  return *parsed;
}

// How bytes that are no UTF-8 and declare nothing useful are read: by those from the first one on
// that is not ASCII.
TextEncoding GuessEncoding(std::string_view bytes) {
  const auto is_ascii = [](char c) { return c > '\0'; };
  const size_t begin =
      static_cast<size_t>(std::ranges::find_if_not(bytes, is_ascii) - bytes.begin());
  const std::string_view head = bytes.substr(begin & ~size_t{1}, kDetectedBytes);
  const bool is_whole = head.data() + head.size() == bytes.data() + bytes.size();
  const HeadEnd end = is_whole ? HeadEnd::kFile : HeadEnd::kCut;
  const TextEncoding detected = DetectTextEncoding(head, end);
  if (detected != TextEncoding::kUtf8) return detected;
  return LooksLikeGb18030(head) ? TextEncoding::kGb18030 : TextEncoding::kUtf8;
}

struct CharacterLengths {
  size_t bytes = 1;
  size_t code_points = 1;
};

// The lengths of the character at the front of `bytes`, which begin with a character of the
// encoding or with a byte that became U+FFFD.
CharacterLengths LengthsAt(TextEncoding encoding, std::string_view bytes) {
  const auto byte = [bytes](size_t i) {
    return i < bytes.size() ? static_cast<uint8_t>(bytes[i]) : uint8_t{0};
  };
  switch (encoding) {
    case TextEncoding::kUtf8:
      return {.bytes = DecodeAt(bytes, 0).length};
    case TextEncoding::kGb18030:
      if (byte(0) <= 0x80 || byte(0) == 0xFF) return {};
      return {.bytes = size_t{byte(1) >= '0' && byte(1) <= '9' ? 4U : 2U}};
    case TextEncoding::kBig5: {
      if (byte(0) <= 0x80 || byte(0) == 0xFF) return {};
      // Four characters of HKSCS are a letter and a mark.
      const int second = byte(0) == 0x88 ? byte(1) : 0;
      const bool is_pair = second == 0x62 || second == 0x64 || second == 0xA3 || second == 0xA5;
      return {.bytes = 2, .code_points = size_t{is_pair ? 2U : 1U}};
    }
    case TextEncoding::kUtf16Le:
      return {.bytes = size_t{(byte(1) & 0xFC) == 0xD8 ? 4U : 2U}};
    case TextEncoding::kUtf16Be:
      return {.bytes = size_t{(byte(0) & 0xFC) == 0xD8 ? 4U : 2U}};
    case TextEncoding::kUtf16:
      break;  // chosen as one of the two
  }
  return {};
}

}  // namespace

std::string_view FindDeclaredEncoding(std::string_view head) {
  for (const std::string_view word : {"charset", "encoding"}) {
    for (size_t at = FindWord(head, word, 0); at != std::string_view::npos;
         at = FindWord(head, word, at)) {
      at += word.size();
      size_t begin = at;
      while (begin < head.size() && (head[begin] == ' ' || head[begin] == '=' ||
                                     head[begin] == '"' || head[begin] == '\'')) {
        ++begin;
      }
      if (begin == at || head.substr(at, begin - at).find('=') == std::string_view::npos) continue;
      size_t end = begin;
      while (end < head.size() && IsNamePart(head[end])) ++end;
      if (end > begin) return head.substr(begin, end - begin);
    }
  }
  return {};
}

Result<DecodedPage> DecodedPage::Decode(std::string_view bytes) {
  DecodedPage page;
  page.bytes_ = bytes;
  page.declared_ = FindDeclaredEncoding(bytes.substr(0, kDeclarationBytes));
  const std::string_view mark = LeadingMark(bytes);
  page.skipped_ = mark.size();
  const bool is_utf8_mark = mark == kByteOrderMark;
  if ((mark.empty() || is_utf8_mark) && IsValidUtf8(bytes)) {
    page.encoding_ = TextEncoding::kUtf8;
    page.is_same_ = true;
    return page;
  }
  if (!mark.empty()) {
    page.encoding_ = ChooseTextEncoding(bytes.substr(0, kDetectedBytes), HeadEnd::kCut, {});
  } else if (IsLatin(page.declared_)) {
    page.DecodeWindows1252();
    return page;
  } else {
    page.encoding_ = ReadableEncoding(page.declared_);
    if (!page.encoding_ || page.encoding_ == TextEncoding::kUtf8) {
      page.encoding_ = GuessEncoding(bytes);
    }
  }
  ZHIWEN_RETURN_IF_ERROR(page.DecodeAll());
  return page;
}

std::string_view DecodedPage::encoding() const {
  return encoding_ ? TextEncodingName(*encoding_) : "windows-1252";
}

void DecodedPage::DecodeWindows1252() {
  for (size_t at = 0; at < bytes_.size(); ++at) {
    if (at % kPieceBytes == 0) {
      marks_.push_back({static_cast<uint32_t>(decoded_.size()), static_cast<uint32_t>(at)});
    }
    AppendUtf8(Windows1252CodePoint(static_cast<uint8_t>(bytes_[at])), decoded_);
  }
}

Status DecodedPage::DecodeAll() {
  ZHIWEN_ASSIGN_OR_RETURN(TextDecoder decoder, TextDecoder::Create(*encoding_));
  for (size_t at = skipped_; at < bytes_.size();) {
    marks_.push_back({static_cast<uint32_t>(decoded_.size()), static_cast<uint32_t>(at)});
    const std::string_view piece = bytes_.substr(at, kPieceBytes);
    const size_t done = decoder.Decode(piece, decoded_);
    at += done;
    const size_t left = piece.size() - done;
    const bool is_cut = left < kLongestCharacter && at + left < bytes_.size();
    if (left == 0 || (is_cut && done > 0)) continue;
    decoded_ += kReplacement;
    ++errors_;
    at += encoding_ == TextEncoding::kUtf8 ? BrokenUtf8Length(bytes_.substr(at, kLongestCharacter))
                                           : std::min(left, UnitBytes(*encoding_));
  }
  return {};
}

uint64_t DecodedPage::SourceOffset(size_t at) const {
  if (is_same_) return skipped_ + at;
  if (at >= decoded_.size()) return bytes_.size();
  const auto behind = std::ranges::upper_bound(marks_, at, {}, &Mark::text);
  size_t source = std::prev(behind)->source, text = std::prev(behind)->text;
  while (source < bytes_.size()) {
    const CharacterLengths lengths =
        encoding_ ? LengthsAt(*encoding_, bytes_.substr(source)) : CharacterLengths{1, 1};
    for (size_t i = 0; i < lengths.code_points; ++i) text += DecodeAt(decoded_, text).length;
    if (text > at) break;
    source += lengths.bytes;
  }
  return source;
}

}  // namespace zhiwen
