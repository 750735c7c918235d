#include "base/utf8/text_encoding.h"

#include <cstddef>

#include <fmt/format.h>

#include "base/utf8/utf8.h"

namespace zhiwen {
namespace {

unsigned char At(std::string_view bytes, size_t i) { return static_cast<unsigned char>(bytes[i]); }

bool IsDigit(unsigned char c) { return c >= '0' && c <= '9'; }

// Returns the length of the character at `i`, which must not be ASCII, or 0 when GB18030 has no
// such character. A truncated character reaches to the end.
size_t LengthOfGb18030(std::string_view bytes, size_t i) {
  const unsigned char lead = At(bytes, i);
  if (lead == 0x80 || lead == 0xFF) return 0;
  if (i + 1 >= bytes.size()) return 1;
  const unsigned char second = At(bytes, i + 1);
  if (second >= 0x40 && second != 0x7F && second != 0xFF) return 2;
  if (!IsDigit(second)) return 0;
  if (i + 3 >= bytes.size()) return bytes.size() - i;
  const unsigned char third = At(bytes, i + 2);
  return third >= 0x81 && third != 0xFF && IsDigit(At(bytes, i + 3)) ? 4 : 0;
}

// Returns whether most bytes beyond ASCII are in sequences of three bytes, like Chinese in UTF-8.
// Few bytes of GB18030 form such sequences by chance.
bool IsMostlyUtf8(std::string_view bytes) {
  size_t beyond_ascii = 0, in_sequences = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (At(bytes, i) < 0x80) continue;
    const bool is_sequence = (At(bytes, i) & 0xF0) == 0xE0 && i + 2 < bytes.size() &&
                             IsContinuation(At(bytes, i + 1)) && IsContinuation(At(bytes, i + 2));
    const size_t length = is_sequence ? 3 : 1;
    beyond_ascii += length;
    in_sequences += is_sequence ? length : 0;
    i += length - 1;
  }
  return in_sequences * 2 >= beyond_ascii;
}

// Returns whether `bytes` are UTF-8 except for a truncated last character, and more than that
// character.
bool EndsInCharacter(std::string_view bytes) {
  const size_t broken = FindInvalidUtf8(bytes);
  if (broken == 0 || broken == bytes.size()) return false;
  const bool is_lead = At(bytes, broken) >= 0xC2 && At(bytes, broken) <= 0xF4;
  return is_lead && broken + BrokenUtf8Length(bytes.substr(broken)) == bytes.size();
}

}  // namespace

bool LooksLikeGb18030(std::string_view bytes) {
  bool any = false;
  for (size_t i = 0; i < bytes.size();) {
    if (At(bytes, i) < 0x80) {
      ++i;
      continue;
    }
    const size_t length = LengthOfGb18030(bytes, i);
    if (length == 0) return false;
    any = any || length > 1;
    i += length;
  }
  return any && !IsMostlyUtf8(bytes);
}

bool BeginsAsUtf16(std::string_view bytes) {
  return bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF");
}

std::string_view EncodingAdvice(std::string_view bytes) {
  if (BeginsAsUtf16(bytes)) {
    return "; it is UTF-16: convert it to UTF-8 first (iconv -f UTF-16 -t UTF-8)";
  }
  if (EndsInCharacter(bytes)) {
    return "; it ends inside a character: the rest of it is missing";
  }
  if (LooksLikeGb18030(bytes)) {
    return "; it looks like GB18030 (GBK) or Big5: convert it to UTF-8 first (iconv -f GB18030 -t "
           "UTF-8, or -f BIG5)";
  }
  return "";
}

Status FailNotUtf8(std::string_view name, uint64_t at, std::string_view around) {
  const std::string_view advice = EncodingAdvice(around);
  return Fail(
      ErrorCode::kUnreadable,
      fmt::format("cannot read \"{}\": not valid UTF-8 at byte {}{}", name, at,
                  advice.empty() ? "; if it is a text, convert it to UTF-8 first" : advice));
}

Status CheckUtf8(std::string_view bytes, std::string_view name) {
  const size_t broken = FindInvalidUtf8(bytes);
  if (broken == bytes.size()) return {};
  return FailNotUtf8(name, broken, bytes);
}

}  // namespace zhiwen
