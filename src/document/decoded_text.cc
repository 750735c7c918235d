#include "document/decoded_text.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/utf8/ascii.h"
#include "base/utf8/text_encoding.h"
#include "base/utf8/transcoder.h"
#include "base/utf8/utf8.h"

namespace zhiwen {
namespace {

constexpr size_t kDeclarationBytes = 4096;
constexpr size_t kHeadBytesOfText = size_t{1} << 15;
constexpr size_t kPieceBytes = 1024;
constexpr size_t kLongestCharacter = 4;
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool IsNamePart(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
         c == '_';
}

// The first place of `word`, in any case, from `at` on.
size_t FindWord(std::string_view text, std::string_view word, size_t at) {
  const auto found =
      std::ranges::search(text.substr(std::min(at, text.size())), word, {}, LowerAscii);
  return found.empty() ? std::string_view::npos : static_cast<size_t>(found.data() - text.data());
}

// Encodings that have ASCII in place: what a document can declare in readable letters.
std::optional<TextEncoding> ReadableEncoding(std::string_view name) {
  const Result<std::optional<TextEncoding>> parsed = ParseTextEncoding(name);
  if (!parsed || !*parsed || IsUtf16(**parsed) || **parsed == TextEncoding::kUtf16) return {};
  return *parsed;
}

// Whether a name tells how bytes are read that are no UTF-8.
bool TellsEncoding(std::string_view name) {
  const std::optional<TextEncoding> encoding = ReadableEncoding(name);
  return encoding ? *encoding != TextEncoding::kUtf8 : TextDecoder::KnowsAlphabet(name);
}

std::string_view ChooseDeclaration(std::string_view outer, std::string_view inner) {
  if (outer.empty()) return inner;
  const bool is_weak =
      !TellsEncoding(outer) || ReadableEncoding(outer) == TextEncoding::kWindows1252;
  return is_weak && TellsEncoding(inner) ? inner : outer;
}

// Whether all is UTF-8. What has bytes of value 0 is UTF-16, perhaps.
bool IsUtf8Text(std::string_view bytes) {
  const std::string_view head = bytes.substr(0, kHeadBytesOfText);
  return IsValidUtf8(bytes) && (head.find('\0') == std::string_view::npos ||
                                DetectTextEncoding(head, HeadEnd::kCut) == TextEncoding::kUtf8);
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
    case TextEncoding::kEucTw:
      return {.bytes = size_t{byte(0) == 0x8E ? 4U : byte(0) > 0xA0 ? 2U : 1U}};
    case TextEncoding::kShiftJis:
      return {.bytes = size_t{BeforeAsciiByte(encoding, byte(0)) ? 2U : 1U}};
    case TextEncoding::kEucJp:
      return {.bytes = size_t{byte(0) == 0x8F ? 3U : byte(0) == 0x8E || byte(0) > 0xA0 ? 2U : 1U}};
    case TextEncoding::kEucKr:
      return {.bytes = size_t{byte(0) > 0x80 && byte(0) < 0xFF ? 2U : 1U}};
    case TextEncoding::kWindows1252:
    case TextEncoding::kUtf16:  // chosen as one of the two
      break;
  }
  return {};
}

// The name behind `word` and an equals sign.
std::string_view FindNameAfter(std::string_view head, std::string_view word) {
  for (size_t at = FindWord(head, word, 0); at != std::string_view::npos;
       at = FindWord(head, word, at)) {
    at += word.size();
    size_t begin = at;
    while (begin < head.size() && (head[begin] == ' ' || head[begin] == '=' || head[begin] == '"' ||
                                   head[begin] == '\'')) {
      ++begin;
    }
    if (begin == at || head.substr(at, begin - at).find('=') == std::string_view::npos) continue;
    size_t end = begin;
    while (end < head.size() && IsNamePart(head[end])) ++end;
    if (end > begin) return head.substr(begin, end - begin);
  }
  return {};
}

}  // namespace

std::string_view FindDeclaredEncoding(std::string_view head, InnerDeclaration inner) {
  head = head.substr(0, kDeclarationBytes);
  if (inner == InnerDeclaration::kNone) return {};
  if (inner == InnerDeclaration::kHtml) {
    const std::string_view name = FindNameAfter(head, "charset");
    return name.empty() ? FindNameAfter(head, "encoding") : name;
  }
  if (!head.starts_with("<?xml")) return {};
  return FindNameAfter(head.substr(0, head.find("?>")), "encoding");
}

Result<DecodedText> DecodedText::Decode(std::string_view bytes, const EncodingDeclarations& from) {
  DecodedText text;
  text.bytes_ = bytes;
  const std::string_view mark = LeadingMark(bytes);
  text.skipped_ = mark.size();
  text.declared_ =
      ChooseDeclaration(from.outer, FindDeclaredEncoding(bytes.substr(mark.size()), from.inner));
  if (mark.empty() && from.asked && from.asked != TextEncoding::kUtf8) {
    ZHIWEN_RETURN_IF_ERROR(text.DecodeAs(ChooseTextEncoding({}, HeadEnd::kCut, from.asked)));
    return text;
  }
  const bool is_utf8_mark = mark == kByteOrderMark;
  text.is_same_ = is_utf8_mark ? IsValidUtf8(bytes) : mark.empty() && IsUtf8Text(bytes);
  text.name_ = TextEncodingName(TextEncoding::kUtf8);
  if (text.is_same_) return text;
  if (!mark.empty()) {
    ZHIWEN_RETURN_IF_ERROR(text.DecodeAs(DetectTextEncoding(mark, HeadEnd::kFile)));
  } else if (from.asked) {
    ZHIWEN_RETURN_IF_ERROR(text.DecodeAs(*from.asked));
  } else if (TextDecoder::KnowsAlphabet(text.declared_)) {
    ZHIWEN_ASSIGN_OR_RETURN(TextDecoder decoder, TextDecoder::CreateAlphabet(text.declared_));
    text.encoding_ = TextEncoding::kWindows1252;
    text.name_ = LowerAsciiOf(text.declared_);
    text.DecodeAll(decoder);
  } else {
    const std::optional<TextEncoding> declared =
        TellsEncoding(text.declared_) ? ReadableEncoding(text.declared_) : std::nullopt;
    ZHIWEN_RETURN_IF_ERROR(text.DecodeAs(DetectDocumentEncoding(bytes, declared)));
  }
  return text;
}

Status DecodedText::DecodeAs(TextEncoding encoding) {
  encoding_ = encoding;
  name_ = TextEncodingName(encoding);
  ZHIWEN_ASSIGN_OR_RETURN(TextDecoder decoder, TextDecoder::Create(encoding));
  DecodeAll(decoder);
  return {};
}

void DecodedText::DecodeAll(TextDecoder& decoder) {
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
                                           : std::min(left, UnitBytes(encoding_));
  }
}

uint64_t DecodedText::SourceOffset(size_t at) const {
  if (is_same_) return skipped_ + at;
  if (at >= decoded_.size()) return bytes_.size();
  const auto behind = std::ranges::upper_bound(marks_, at, {}, &Mark::text);
  size_t source = std::prev(behind)->source, text = std::prev(behind)->text;
  while (source < bytes_.size()) {
    const CharacterLengths lengths = LengthsAt(encoding_, bytes_.substr(source));
    for (size_t i = 0; i < lengths.code_points; ++i) text += DecodeAt(decoded_, text).length;
    if (text > at) break;
    source += lengths.bytes;
  }
  return source;
}

void DescribeEncoding(const DecodedText& decoded, ExtractedDocument& document) {
  document.encoding = decoded.encoding();
  document.declared_encoding = decoded.declared();
  document.encoding_errors = decoded.errors();
}

}  // namespace zhiwen
