#include "zhiwen/sentences.h"

#include <cstdint>

#include "base/utf8/white_space.h"
#include "text/segmenter/word_characters.h"

namespace zhiwen {
namespace {

enum class Role {
  kText,
  kEnd,
  kAsciiEnd,
  kStop,
  kComma,
  kAsciiComma,
  kJoint,
  kCloser,
  kSpace,
  kLineEnd
};

constexpr uint64_t kBytesBetweenLooks = 1 << 16;  // between two checks of the cancellation

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
    case 0xFF0C:  // ，
    case 0xFF1A:  // ：
      return Role::kComma;
    case ',':
    case ':':
      return Role::kAsciiComma;
    case 0x3001:  // 、
    case 0xFF64:  // ､
      return Role::kJoint;
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
    default:
      if (!IsPythonSpace(code_point)) return Role::kText;
      return IsLineEnd(code_point) ? Role::kLineEnd : Role::kSpace;
  }
}

// Maps full-width letters and digits to ASCII; returns 0 for characters that are neither.
uint8_t Narrow(uint32_t code_point) {
  if (code_point < 0x80) return static_cast<uint8_t>(code_point);
  const uint32_t narrow = code_point - 0xFEE0;
  const auto byte = static_cast<uint8_t>(narrow);
  return narrow < 0x80 && IsAsciiLetterOrDigit(byte) ? byte : 0;
}

// Returns whether a character next to a mark keeps it from ending a sentence: graphic ASCII,
// full-width letters and digits.
bool IsLatin(uint32_t code_point) {
  const uint8_t narrow = Narrow(code_point);
  return narrow > ' ' && narrow < 0x7F;
}

// Finds the full stops that belong to an item number, such as "1.", "2.1." or "a." at the beginning
// of a line.
class ItemNumber {
 public:
  bool Has(Role role) const {
    return role == Role::kStop && (state_ == State::kDigits || state_ == State::kLetter);
  }

  void Take(uint32_t code_point, Role role) {
    if (role == Role::kLineEnd || (role == Role::kSpace && state_ == State::kBegin)) {
      state_ = State::kBegin;
    } else if (state_ == State::kDigits && role == Role::kStop) {
      state_ = State::kStop;
    } else if (IsAsciiDigit(Narrow(code_point)) && state_ < State::kLetter) {
      state_ = State::kDigits;
    } else {
      const bool is_letter = IsAsciiLetterOrDigit(Narrow(code_point));
      state_ = is_letter && state_ == State::kBegin ? State::kLetter : State::kNone;
    }
  }

 private:
  enum class State { kBegin, kDigits, kStop, kLetter, kNone };
  State state_ = State::kBegin;
};

// Takes code points, and decides before which of them a sentence ends.
class SentenceEnds {
 public:
  explicit SentenceEnds(SentenceClass sentence_class)
      : has_clauses_(sentence_class == SentenceClass::kClause) {}

  // Returns the role of the next code point, after deciding whether a straight quote opens or
  // closes.
  Role Classify(uint32_t code_point) {
    if (code_point != '"' && code_point != '\'') {
      const Role role = RoleOf(code_point);
      if (!has_clauses_) return role;
      return role == Role::kComma ? Role::kEnd : role == Role::kAsciiComma ? Role::kAsciiEnd : role;
    }
    bool& is_open = code_point == '"' ? is_double_open_ : is_single_open_;
    if (code_point == '\'' && !is_open && IsLatin(before_)) return Role::kText;  // don't
    is_open = !is_open;
    return is_open ? Role::kText : Role::kCloser;
  }

  // Returns whether the sentence so far ends before a code point of this role.
  bool EndsBefore(uint32_t code_point, Role role) const {
    if (role == Role::kLineEnd) return true;
    // Other marks, commas and closing marks belong to the sentence.
    if (end_ == Role::kText || (role != Role::kText && role != Role::kSpace)) return false;
    if (end_ == Role::kEnd || role == Role::kSpace) return true;
    const bool is_latin = IsLatin(code_point);
    return end_ == Role::kAsciiEnd ? !(is_latin && was_latin_) : !is_latin && !was_latin_;
  }

  void Begin() { end_ = Role::kText; }

  void Take(uint32_t code_point, Role role) {
    if (role == Role::kLineEnd) is_double_open_ = is_single_open_ = false;
    const bool is_mark = role == Role::kEnd || role == Role::kAsciiEnd ||
                         (role == Role::kStop && !number_.Has(role));
    number_.Take(code_point, role);
    if (is_mark && end_ == Role::kText) {
      was_latin_ = IsLatin(before_);
      end_ = role;
    } else if (is_mark && end_ != Role::kEnd) {
      was_latin_ = was_latin_ && IsLatin(before_);
      // Of several marks the strongest decides: ？！ and !?.
      if (role != Role::kStop) end_ = role;
    } else if (role == Role::kText || role == Role::kComma || role == Role::kAsciiComma ||
               role == Role::kJoint) {
      end_ = Role::kText;
    }
    before_ = code_point;
  }

 private:
  // The marks, with closing marks, at the end of the sentence so far; or text.
  Role end_ = Role::kText;
  bool was_latin_ = false;  // whether Latin text is before these marks
  uint32_t before_ = ' ';
  const bool has_clauses_;
  ItemNumber number_;
  bool is_double_open_ = false, is_single_open_ = false;
};

}  // namespace

void VisitSentences(std::string_view utf8, const SentenceOptions& options,
                    const std::function<void(ByteSpan sentence)>& visit) {
  const auto* const text = reinterpret_cast<const uint8_t*>(utf8.data());
  // Bounds of the sentence so far, without trailing white space.
  uint64_t begin = 0, end = 0;
  SentenceEnds ends(options.sentence_class);
  const auto finish = [&] {
    if (end > begin) visit({{begin}, {end}});
    ends.Begin();
    begin = end;
  };
  for (uint64_t at = 0, look = 0; at < utf8.size();) {
    if (at >= look) {
      if (options.cancellation != nullptr && options.cancellation->requested()) return;
      look = at + kBytesBetweenLooks;
    }
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
