#include "zhiwen/sentences.h"

#include <cstdint>

#include "base/white_space.h"
#include "text/segmenter/word_characters.h"

namespace zhiwen {
namespace {

enum class Role { kText, kEnd, kAsciiEnd, kStop, kCloser, kSpace, kLineEnd };

Role RoleOf(uint32_t code_point) {
  switch (code_point) {
    case 0x3002:  // 。
    case 0xFF01:  // ！
    case 0xFF1F:  // ？
    case 0xFF1B:  // ；
    case 0xFF61:  // ｡
    case 0x2026:  // …
    case 0x203C:  // ‼
    case 0x2047:  // ⁇
    case 0x2048:  // ⁈
    case 0x2049:  // ⁉
      return Role::kEnd;
    case '!':
    case '?':
    case ';':
      return Role::kAsciiEnd;
    case '.':
    case 0xFF0E:  // ．
      return Role::kStop;
    case ')':
    case ']':
    case '}':
    case 0x201D:  // ”
    case 0x2019:  // ’
    case 0x300D:  // 」
    case 0x300F:  // 』
    case 0x300B:  // 》
    case 0x3009:  // 〉
    case 0x3011:  // 】
    case 0x3015:  // 〕
    case 0xFF09:  // ）
    case 0xFF3D:  // ］
      return Role::kCloser;
    case '\n':
    case '\r':
    case 0x85:
    case 0x2028:
    case 0x2029:
      return Role::kLineEnd;
    default:
      return IsPythonSpace(code_point) ? Role::kSpace : Role::kText;
  }
}

// What may stand beside a mark that ends nothing: graphic ASCII, full-width letters and digits.
bool IsLatin(uint32_t code_point) {
  if (code_point < 0x80) return code_point > ' ' && code_point < 0x7F;
  const uint32_t narrow = code_point - 0xFEE0;
  return narrow < 0x80 && IsAsciiLetterOrDigit(static_cast<uint8_t>(narrow));
}

// Takes code points, and says before which of them a sentence ends.
class SentenceEnds {
 public:
  // The role of the next code point, straight quotes sorted out.
  Role Classify(uint32_t code_point) {
    if (code_point != '"' && code_point != '\'') return RoleOf(code_point);
    bool& is_open = code_point == '"' ? is_double_open_ : is_single_open_;
    if (code_point == '\'' && !is_open && IsLatin(before_)) return Role::kText;  // don't
    is_open = !is_open;
    return is_open ? Role::kText : Role::kCloser;
  }

  // Whether the sentence so far ends before a code point of this role.
  bool EndsBefore(uint32_t code_point, Role role) const {
    if (role == Role::kLineEnd) return true;
    const bool goes_on = role == Role::kEnd || role == Role::kAsciiEnd || role == Role::kStop ||
                         role == Role::kCloser;
    if (end_ == Role::kText || goes_on) return false;
    if (end_ == Role::kEnd || role == Role::kSpace) return true;
    const bool is_latin = IsLatin(code_point);
    return end_ == Role::kAsciiEnd ? !(is_latin && was_latin_) : !is_latin && !was_latin_;
  }

  void Begin() { end_ = Role::kText; }

  void Take(uint32_t code_point, Role role) {
    if (role == Role::kLineEnd) is_double_open_ = is_single_open_ = false;
    const bool is_mark = role == Role::kEnd || role == Role::kAsciiEnd || role == Role::kStop;
    if (is_mark && end_ == Role::kText) {
      was_latin_ = IsLatin(before_);
      end_ = role;
    } else if (is_mark && end_ != Role::kEnd) {
      // Of several marks the one that ends most decides: ？！ and !?.
      if (role != Role::kStop) end_ = role;
    } else if (role == Role::kText) {
      end_ = Role::kText;
    }
    before_ = code_point;
  }

 private:
  Role end_ = Role::kText;  // the marks that the sentence ends with, perhaps closed; or text
  bool was_latin_ = false;  // what stands before them
  uint32_t before_ = ' ';
  bool is_double_open_ = false, is_single_open_ = false;
};

}  // namespace

void VisitSentences(std::string_view utf8, const std::function<void(ByteSpan sentence)>& visit) {
  const auto* const text = reinterpret_cast<const uint8_t*>(utf8.data());
  uint64_t begin = 0, end = 0;  // of the sentence so far, without white space behind it
  SentenceEnds ends;
  const auto finish = [&] {
    if (end > begin) visit({{begin}, {end}});
    ends.Begin();
    begin = end;
  };
  for (uint64_t at = 0; at < utf8.size();) {
    const DecodedCodePoint next = DecodeCodePoint(text + at, text + utf8.size());
    const Role role = ends.Classify(next.code_point);
    if (ends.EndsBefore(next.code_point, role)) finish();
    ends.Take(next.code_point, role);
    if (role != Role::kSpace && role != Role::kLineEnd) {
      if (end == begin) begin = at;
      end = at + next.length;
    }
    at += next.length;
  }
  finish();
}

}  // namespace zhiwen
