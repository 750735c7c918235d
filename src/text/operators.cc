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

bool IsWord(Beside kind) { return kind == Beside::kLetter || kind == Beside::kDigit; }

struct Neighbor {
  Beside kind = Beside::kNothing;
  uint32_t mapped = 0;

  bool is_word() const { return IsWord(kind); }
  bool is_digit() const { return kind == Beside::kDigit; }
  bool is_wide() const { return kind == Beside::kWide; }
  bool is(uint32_t op) const { return kind == Beside::kOperator && mapped == op; }
  bool is_one_of(std::u32string_view operators) const {
    return kind == Beside::kOperator &&
           operators.find(static_cast<char32_t>(mapped)) != std::u32string_view::npos;
  }
  // Whether it belongs to no unit but perhaps one of an operator.
  bool is_gap() const { return kind >= Beside::kSpace && kind <= Beside::kOperator; }
};

// White space as NFKC leaves it.
constexpr bool IsSpace(uint32_t mapped) {
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

// What the ASCII characters are.
struct AsciiBesideTable {
  Beside of[0x80] = {};
  constexpr AsciiBesideTable() {
    for (uint32_t c = 0; c < 0x80; ++c) {
      const bool is_letter = (c | 0x20U) - 'a' < 26;
      of[c] = is_letter || c == '$' ? Beside::kLetter
              : c - '0' < 10        ? Beside::kDigit
              : IsSpace(c)          ? Beside::kSpace
                                    : Beside::kLoose;
    }
    of[static_cast<size_t>('\n')] = Beside::kNothing;
    of[static_cast<size_t>('(')] = Beside::kOpening;
    of[static_cast<size_t>(')')] = Beside::kClosing;
    for (const char c : {'+', '<', '=', '>', '^', '`', '|', '~'}) {
      of[static_cast<size_t>(c)] = Beside::kSymbol;
    }
    for (const char c :
         {'!', '#', '%', '&', '*', '-', '/', ':', '?', '@', '[', '\\', ']', '_', '{', '}'}) {
      of[static_cast<size_t>(c)] = Beside::kOperator;
    }
  }
};
constexpr AsciiBesideTable kAsciiBeside;

enum class Direction : uint8_t { kBack, kAhead };

// Whether \ before such a character is an escape of Markdown: a\_b.
bool IsEscapable(Beside kind) { return kind >= Beside::kLoose && kind <= Beside::kSymbol; }

// Goes from an operator to the border of its text, character by character, without those that are
// invisible, marks and escapes.
template <Direction direction>
class Walk {
 public:
  Walk(const FoldTable& table, const uint8_t* at, const uint8_t* border)
      : table_(table), at_(at), border_(border) {}

  // Returns the next character; nothing from the end of the line on.
  Neighbor Next() {
    Neighbor next = Read();
    while (next.is('\\')) {
      if constexpr (direction == Direction::kAhead) {
        const auto at = at_;
        const size_t left = left_;
        const Neighbor following = Read();
        if (!IsEscapable(following.kind)) {
          at_ = at;
          left_ = left;
          return next;
        }
        next = following;
      } else {
        if (!IsEscapable(nearer_)) break;
        nearer_ = Beside::kOperator;
        next = Read();
      }
    }
    nearer_ = next.kind;
    return next;
  }

 private:
  Neighbor Read() {
    while (left_ > 0 && at_ != border_) {
      --left_;
      if (const uint8_t byte = NextByte(); byte < 0x80) {
        const Beside kind = kAsciiBeside.of[byte];
        if (kind == Beside::kNothing) break;
        at_ += direction == Direction::kAhead ? 1 : -1;
        return {kind, byte};
      }
      const uint32_t code_point = Step();
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

  static bool IsSolid(FoldClass fold_class) {
    return fold_class != FoldClass::kTransparent && fold_class != FoldClass::kMark;
  }

  uint8_t NextByte() const { return direction == Direction::kAhead ? *at_ : at_[-1]; }

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
  Beside nearer_ = Beside::kOperator;  // what Next returned last
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
  while (around.right.is(op) && around.run < kDecoration && op != '\\') {
    ++around.run;
    around.right = ahead.Next();
  }
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
  const bool is_sign =
      before.kind == Beside::kSymbol || around.other.is_one_of(left.is('*') ? U"[{/%&" : U"[{/%&*");
  if (is_sign && right.is_word()) return true;
  if (before.kind == Beside::kNothing && right.is_digit()) return true;
  const bool is_part =
      right.kind == Beside::kSymbol && (right.mapped == '>' || right.mapped == '=');
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
  return has_left &&
         (right.is_word() || right.kind == Beside::kOpening || right.is_one_of(U"[{\\"));
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
    case '\\':
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

// Whether an operator between two ASCII characters that are not the same operator is none for what
// they are alone: most operators of prose and Markdown.
bool IsRefusedBeside(uint32_t op, Beside left, Beside right) {
  switch (op) {
    case '-':
      return left == Beside::kLetter && right == Beside::kLetter;
    case ':':
    case '?':
      return !IsWord(left) || !IsWord(right);
    case '#':
      return !IsWord(left) && !IsWord(right);
    case '*':
    case '_':
      if (left == Beside::kSpace && right == Beside::kSpace) return false;
      return !(IsWord(left) || left == Beside::kClosing || left == Beside::kOperator) ||
             !(IsWord(right) || right == Beside::kOpening || right == Beside::kOperator);
    default:
      return false;
  }
}

// Whether three bytes in a row are the operator, which stands among them.
bool IsRuler(TextBytes text, const uint8_t* at, const uint8_t* after, uint32_t op) {
  const bool left = at > text.begin && at[-1] == op, right = after < text.end && *after == op;
  return (left && right) || (left && at - text.begin > 1 && at[-2] == op) ||
         (right && text.end - after > 1 && after[1] == op);
}

bool IsRefusedByBytes(TextBytes text, const uint8_t* at, const uint8_t* after, uint32_t op) {
  const uint8_t left = at > text.begin ? at[-1] : '\n';
  const uint8_t right = after < text.end ? *after : '\n';
  if (right < 0x80 && right != op && right != '\\' && op == '!') {
    return !IsWord(kAsciiBeside.of[right]) && right != '=';
  }
  if (left == '\\' || right == '\\') return false;
  if (left == op || right == op) return !IsBracket(op) && IsRuler(text, at, after, op);
  if (left >= 0x80 || right >= 0x80) return false;
  return IsRefusedBeside(op, kAsciiBeside.of[left], kAsciiBeside.of[right]);
}

}  // namespace

bool IsOperatorUnit(const FoldTable& table, TextBytes text, const uint8_t* at, uint32_t op) {
  const uint8_t* after = at + 1;
  if (*at >= 0x80) {
    const DecodedCodePoint decoded = DecodeCodePoint(at, text.end);
    if (table.LookUp(decoded.code_point).fold_class() != FoldClass::kOperator) return false;
    after = at + decoded.length;
  }
  if (FollowsHan(table, text, at) || IsRefusedByBytes(text, at, after, op)) return false;
  const Surroundings around = LookAround(table, text, at, after, op);
  if (around.run >= kDecoration && !IsBracket(op)) return false;
  return IsUnit(around);
}

}  // namespace zhiwen
