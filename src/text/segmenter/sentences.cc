#include "text/segmenter/sentences.h"

#include <cstdint>

#include "text/segmenter/word_characters.h"

namespace zhiwen {
namespace {

enum class Role { kText, kEnd, kStop, kCloser, kSpace, kParagraph };

Role RoleOf(uint32_t code_point) {
  switch (code_point) {
    case '!':
    case '?':
    case ';':
    case 0x3002:  // 。
    case 0xFF01:  // ！
    case 0xFF1F:  // ？
    case 0xFF1B:  // ；
    case 0xFF61:  // ｡
    case 0x2026:  // …
      return Role::kEnd;
    case '.':
      return Role::kStop;
    case '"':
    case '\'':
    case ')':
    case ']':
    case 0x201D:  // ”
    case 0x2019:  // ’
    case 0x300D:  // 」
    case 0x300F:  // 』
    case 0x300B:  // 》
    case 0x3009:  // 〉
    case 0x3011:  // 】
    case 0xFF09:  // ）
      return Role::kCloser;
    case '\n':
    case '\r':
    case 0x85:
    case 0x2028:
    case 0x2029:
      return Role::kParagraph;
    default:
      return IsPythonSpace(code_point) ? Role::kSpace : Role::kText;
  }
}

}  // namespace

void VisitSentences(std::string_view utf8, const std::function<void(ByteSpan sentence)>& visit) {
  const auto* const text = reinterpret_cast<const uint8_t*>(utf8.data());
  uint64_t begin = 0, end = 0;  // of the sentence so far, without white space behind it
  Role last = Role::kText;      // what it ends with; closers behind an end do not change it
  const auto finish = [&] {
    if (end > begin) visit({{begin}, {end}});
    last = Role::kText;
    begin = end;
  };
  for (uint64_t at = 0; at < utf8.size();) {
    const DecodedCodePoint next = DecodeCodePoint(text + at, text + utf8.size());
    const Role role = RoleOf(next.code_point);
    const bool is_space = role == Role::kSpace || role == Role::kParagraph;
    const bool goes_on = role == Role::kEnd || role == Role::kStop || role == Role::kCloser;
    if (role == Role::kParagraph || (last == Role::kStop && is_space) ||
        (last == Role::kEnd && !goes_on)) {
      finish();
    }
    if (!is_space) {
      if (end == begin) begin = at;
      end = at + next.length;
      if (role != Role::kCloser || last == Role::kText) last = role;
      if (last == Role::kCloser) last = Role::kText;
    }
    at += next.length;
  }
  finish();
}

}  // namespace zhiwen
