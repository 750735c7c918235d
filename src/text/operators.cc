#include "text/operators.h"

#include <optional>
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
  kWide,    // Han, kana, hangul, Thai and its neighbors
  kUnread,  // what PlainSide does not read
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
      return around.run == 1 ? left.is_digit() && right.is_digit() : left.is_word();
    default:
      return around.before.is_word() || around.after.is_word();
  }
}

// One side of an operator, read as far as all is ASCII without an escape or a Han character.
template <Direction direction>
class PlainSide {
 public:
  // `at` is where the side begins. The operators `op` that stand there belong to the run.
  PlainSide(const FoldTable& table, const uint8_t* at, const uint8_t* border, uint32_t op)
      : table_(table), at_(at), border_(border) {
    while (run_ < kDecoration && at_ != border_ && Byte() == op) {
      Step();
      ++run_;
    }
    byte_ = at_ == border_ ? '\n' : Byte();
    nearest_ = Kind(byte_);
  }

  size_t run() const { return run_; }
  Beside nearest() const { return nearest_; }  // what stands beside the run
  bool is_word() const { return IsWord(nearest_); }
  bool is(char c) const { return byte_ == static_cast<uint8_t>(c); }

  // Returns the next character of a unit beside the run.
  Beside FindUnit() {
    Beside kind = nearest_;
    for (size_t left = kOperatorReach - run_; Neighbor{kind}.is_gap(); kind = Kind(Byte())) {
      Step();
      if (--left == 0 || at_ == border_) return Beside::kNothing;
    }
    return kind;
  }

 private:
  static constexpr bool kIsAhead = direction == Direction::kAhead;

  uint8_t Byte() const { return kIsAhead ? *at_ : at_[-1]; }
  void Step() { at_ += kIsAhead ? 1 : -1; }

  Beside Kind(uint8_t byte) const {
    if (byte < 0x80) return byte == '\\' ? Beside::kUnread : kAsciiBeside.of[byte];
    const bool is_han = kIsAhead ? BeginsWithHan(table_, {at_, border_})
                                 : FollowsHan(table_, {border_, at_}, at_);
    return is_han ? Beside::kWide : Beside::kUnread;
  }

  const FoldTable& table_;
  const uint8_t* at_;
  const uint8_t* const border_;
  size_t run_ = 0;
  uint8_t byte_ = 0;
  Beside nearest_ = Beside::kNothing;
};

// Decides as IsUnit does where both sides are plain as far as the rule looks, and returns nothing
// elsewhere.
std::optional<bool> DecideInPlain(const FoldTable& table, TextBytes text, const uint8_t* at,
                                  const uint8_t* after, uint32_t op) {
  PlainSide<Direction::kBack> left(table, at, text.begin, op);
  const Beside l = left.nearest();
  if (l == Beside::kWide && left.run() == 0) return false;
  PlainSide<Direction::kAhead> right(table, after, text.end, op);
  const Beside r = right.nearest();
  if (op == '\\' || l == Beside::kUnread || r == Beside::kUnread) return std::nullopt;
  const size_t run = left.run() + 1 + right.run();
  const bool is_first = left.run() == 0;
  if (run >= kDecoration && !IsBracket(op)) return false;
  if (op == '?') return is_first && left.is_word() && right.is_word();
  if (op == ':' && run == 1) return l == Beside::kDigit && r == Beside::kDigit;
  if (op == ':' && (!is_first || !left.is_word())) return false;
  if (op == '#' && left.is_word()) return true;
  if (op == '#' && !right.is_word()) return false;
  if (op == '!' && !right.is_word() && !right.is('=')) return false;
  const bool is_spaced = l == Beside::kSpace && r == Beside::kSpace;
  const bool is_product = op == '*' || op == '_';
  if (is_product && !is_spaced) {
    if (!left.is_word() && l != Beside::kClosing && !left.is(']') && !left.is('}')) return false;
    if (!right.is_word() && r != Beside::kOpening && !right.is('[') && !right.is('{')) return false;
  }
  if (op == '-') {
    if (!is_first || (l == Beside::kLetter && r == Beside::kLetter)) return false;
    if ((right.is_word() && !left.is_word()) || r == Beside::kSymbol) return std::nullopt;
  }
  const Beside before = left.FindUnit(), next = right.FindUnit();
  if (before == Beside::kWide || next == Beside::kWide) return false;
  if (before == Beside::kUnread || next == Beside::kUnread) return std::nullopt;
  if (op == '#' || op == '!' || op == ':' || (is_product && !is_spaced)) return true;
  if (is_product) return IsWord(before) && IsWord(next);
  if (op != '-') return IsWord(before) || IsWord(next);
  return IsWord(before) && IsWord(next) && (before == Beside::kDigit || next == Beside::kDigit);
}

}  // namespace

bool IsOperatorUnit(const FoldTable& table, TextBytes text, const uint8_t* at, uint32_t op) {
  const uint8_t* after = at + 1;
  if (*at >= 0x80) {
    const DecodedCodePoint decoded = DecodeCodePoint(at, text.end);
    if (table.LookUp(decoded.code_point).fold_class() != FoldClass::kOperator) return false;
    after = at + decoded.length;
  }
  if (const auto is_unit = DecideInPlain(table, text, at, after, op)) return *is_unit;
  const Surroundings around = LookAround(table, text, at, after, op);
  if (around.run >= kDecoration && !IsBracket(op)) return false;
  return IsUnit(around);
}

}  // namespace zhiwen
