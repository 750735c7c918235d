#include "text/operators.h"

#include <span>
#include <string_view>

#include "base/utf8/utf8.h"

namespace zhiwen {
namespace {

// What a character beside an operator is.
enum class Beside : uint8_t {
  kNothing,  // the line ends, or the reach
  kSpace,
  kLoose,    // punctuation without a meaning of its own
  kOpening,  // (
  kClosing,  // )
  kOperator,
  kSymbol,
  kLetter,  // $ too, which begins a name or an amount
  kDigit,
  kWide,  // Han, kana, hangul, Thai and its neighbors
};

struct Neighbor {
  Beside kind = Beside::kNothing;
  uint32_t mapped = 0;

  bool is_word() const { return kind == Beside::kLetter || kind == Beside::kDigit; }
  bool is_digit() const { return kind == Beside::kDigit; }
  bool is_wide() const { return kind == Beside::kWide; }
  bool is(uint32_t op) const { return kind == Beside::kOperator && mapped == op; }
  bool is_one_of(std::u32string_view operators) const {
    return kind == Beside::kOperator &&
           operators.find(static_cast<char32_t>(mapped)) != operators.npos;
  }
  // Whether it belongs to no unit but perhaps one of an operator.
  bool is_gap() const { return kind >= Beside::kSpace && kind <= Beside::kOperator; }
};

// White space as NFKC leaves it.
bool IsSpace(uint32_t mapped) {
  return mapped == ' ' || (mapped >= '\t' && mapped <= '\r');
}

Beside KindOf(FoldClass fold_class, uint32_t mapped) {
  switch (fold_class) {
    case FoldClass::kOperator:
      return Beside::kOperator;
    case FoldClass::kSymbol:
      return mapped == '$' ? Beside::kLetter : Beside::kSymbol;
    case FoldClass::kRun:
      return Beside::kLetter;
    case FoldClass::kDigit:
      return Beside::kDigit;
    case FoldClass::kHan:
    case FoldClass::kKana:
    case FoldClass::kHangul:
    case FoldClass::kSea:
      return Beside::kWide;
    default:
      break;
  }
  if (mapped == '(') return Beside::kOpening;
  if (mapped == ')') return Beside::kClosing;
  return IsSpace(mapped) ? Beside::kSpace : Beside::kLoose;
}

enum class Direction : uint8_t { kBack, kAhead };

// Goes from an operator to the border of its text, character by character, without those that are
// invisible and marks.
template <Direction direction>
class Walk {
 public:
  Walk(const FoldTable& table, const uint8_t* at, const uint8_t* border)
      : table_(table), at_(at), border_(border) {}

  // Returns the next character; nothing from the end of the line on.
  Neighbor Next() {
    while (left_ > 0 && at_ != border_) {
      --left_;
      const uint32_t code_point = Step();
      if (code_point == '\n') break;
      const FoldRecord record = table_.LookUp(code_point);
      if (record.fold_class() == FoldClass::kExpansion) return OfParts(record.expansion());
      if (IsSolid(record.fold_class())) {
        const uint32_t mapped = record.Map(code_point);
        return {KindOf(record.fold_class(), mapped), mapped};
      }
    }
    left_ = 0;
    return {};
  }

 private:
  static bool IsSolid(FoldClass fold_class) {
    return fold_class != FoldClass::kTransparent && fold_class != FoldClass::kMark;
  }

  uint32_t Step() {
    if constexpr (direction == Direction::kAhead) {
      const DecodedCodePoint decoded = DecodeCodePoint(at_, border_);
      at_ += decoded.length;
      return decoded.code_point;
    } else {
      const uint8_t* lead = at_ - 1;
      while (lead > border_ && at_ - lead < 4 && IsContinuation(*lead)) --lead;
      const DecodedCodePoint decoded = DecodeCodePoint(lead, at_);
      const bool is_whole = lead + decoded.length == at_;
      at_ = is_whole ? lead : at_ - 1;
      return is_whole ? decoded.code_point : kReplacementCharacter;
    }
  }

  // The nearest part of a character that becomes several which is a unit: of ½ 1 or 2.
  Neighbor OfParts(std::span<const uint32_t> parts) const {
    for (size_t i = 0; i < parts.size(); ++i) {
      const uint32_t part = parts[direction == Direction::kAhead ? i : parts.size() - 1 - i];
      const FoldClass fold_class = table_.LookUp(part).fold_class();
      if (!IsSolid(fold_class)) continue;
      const Beside kind = KindOf(fold_class, part);
      if (kind >= Beside::kSymbol) return {kind, part};
    }
    return {Beside::kLoose, 0};
  }

  const FoldTable& table_;
  const uint8_t* at_;
  const uint8_t* const border_;
  size_t left_ = kOperatorReach;
};

bool IsBracket(uint32_t op) { return op == '[' || op == ']' || op == '{' || op == '}'; }

// An operator among its neighbors. Equal operators side by side are a run.
struct Surroundings {
  uint32_t op = 0;
  size_t run = 1;  // how many there are of it, at most kDecoration
  bool is_first = true;
  Neighbor left, right;    // the characters beside the run
  Neighbor before, after;  // the next characters of units beside it
  Neighbor other;          // the next operator before it that follows `before`, or nothing
};

constexpr size_t kDecoration = 3;  // operators in a row are a ruler, a heading, a blank

Surroundings LookAround(const FoldTable& table, TextBytes text, const uint8_t* at,
                        const uint8_t* after, uint32_t op) {
  Surroundings around;
  around.op = op;
  Walk<Direction::kBack> back(table, at, text.begin);
  Walk<Direction::kAhead> ahead(table, after, text.end);
  around.left = back.Next();
  for (; around.left.is(op) && around.run < kDecoration; around.left = back.Next()) {
    ++around.run;
    around.is_first = false;
  }
  around.right = ahead.Next();
  for (; around.right.is(op) && around.run < kDecoration; around.right = ahead.Next()) ++around.run;
  if (around.run >= kDecoration && !IsBracket(op)) return around;
  around.before = around.left;
  for (; around.before.is_gap(); around.before = back.Next()) {
    const bool is_other = around.before.kind == Beside::kOperator;
    if (is_other && around.other.kind == Beside::kNothing) around.other = around.before;
  }
  around.after = around.right;
  while (around.after.is_gap()) around.after = ahead.Next();
  return around;
}

// A dash is a range or a subtraction beside a digit, and otherwise a sign or a part of -> or -=.
bool IsMinus(const Surroundings& around) {
  const Neighbor &left = around.left, right = around.right, before = around.before;
  if (!around.is_first) return false;
  if (before.is_word() && around.after.is_word()) {
    if (before.is_digit() || around.after.is_digit()) return true;
  }
  const bool is_sign = before.kind == Beside::kSymbol ||
                       around.other.is_one_of(left.is('*') ? U"[{/%&" : U"[{/%&*");
  if (is_sign && right.is_word()) return true;
  if (before.kind == Beside::kNothing && right.is_digit()) return true;
  const bool is_part = right.kind == Beside::kSymbol && (right.mapped == '>' || right.mapped == '=');
  return is_part && before.is_word();
}

// * and _ are a product, a power or a part of a name between two operands, and between two spaces;
// with an operand on one side only they are emphasis, a pointer or a list.
bool IsProduct(const Surroundings& around) {
  const Neighbor &left = around.left, right = around.right;
  if (left.kind == Beside::kSpace && right.kind == Beside::kSpace) {
    return around.before.is_word() && around.after.is_word();
  }
  const bool has_left = left.is_word() || left.kind == Beside::kClosing || left.is_one_of(U"]}");
  return has_left && (right.is_word() || right.kind == Beside::kOpening || right.is_one_of(U"[{\\"));
}

bool IsUnit(const Surroundings& around) {
  const Neighbor &left = around.left, right = around.right;
  if (around.op == '#' && left.is_word()) return true;
  if (around.before.is_wide() || around.after.is_wide()) return false;
  switch (around.op) {
    case '-':
      return IsMinus(around);
    case '*':
    case '_':
      return IsProduct(around);
    case '#':
      return right.is_word();
    case '!':
      return right.is_word() || (right.kind == Beside::kSymbol && right.mapped == '=');
    case '?':
      return around.is_first && left.is_word() && right.is_word();
    case ':':
      if (!around.is_first) return false;
      return around.run == 1 ? left.is_digit() && right.is_digit()
                             : left.is_word() && right.is_word();
    default:
      return around.before.is_word() || around.after.is_word();
  }
}

bool IsAsciiLetter(uint8_t byte) { return (byte | 0x20U) - 'a' < 26; }

// The operators of prose, decided by the bytes beside them: a hyphen between letters, and marks at
// the end of a sentence.
bool IsProse(TextBytes text, const uint8_t* at, const uint8_t* after, uint32_t op) {
  if (after == text.end) return op == '!' || op == '?' || op == ':';
  if (op == '-') return at > text.begin && IsAsciiLetter(at[-1]) && IsAsciiLetter(*after);
  return (op == '!' || op == '?' || op == ':') && (*after <= ' ' || *after == '"');
}

}  // namespace

bool IsOperatorUnit(const FoldTable& table, TextBytes text, const uint8_t* at, const uint8_t* after,
                    uint32_t op) {
  if (IsProse(text, at, after, op)) return false;
  const Surroundings around = LookAround(table, text, at, after, op);
  if (around.run >= kDecoration && !IsBracket(op)) return false;
  return IsUnit(around);
}

}  // namespace zhiwen
