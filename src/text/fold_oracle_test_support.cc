#include "text/fold_oracle_test_support.h"

#include <unicode/brkiter.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "text/fold_variants.h"

namespace zhiwen {
namespace {

using CodePoints = std::vector<uint32_t>;

icu::UnicodeString ToIcu(const CodePoints& text) {
  icu::UnicodeString result;
  for (const uint32_t c : text) result.append(static_cast<UChar32>(c));
  return result;
}

CodePoints FromIcu(const icu::UnicodeString& text) {
  CodePoints result;
  for (int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) {
    result.push_back(static_cast<uint32_t>(text.char32At(i)));
  }
  return result;
}

enum class Kind {
  kSeparator,
  kTransparent,
  kMark,
  kHan,
  kKana,
  kHangul,
  kSea,
  kSymbol,
  kRun,
};

bool IsSouthEast(UChar32 c) {
  UErrorCode status = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(c, &status);
  return script == USCRIPT_THAI || script == USCRIPT_LAO || script == USCRIPT_KHMER ||
         script == USCRIPT_MYANMAR;
}

bool OnlyKana(UChar32 c) {
  UScriptCode scripts[32];
  UErrorCode status = U_ZERO_ERROR;
  const int32_t count = uscript_getScriptExtensions(c, scripts, 32, &status);
  for (int32_t i = 0; i < count; ++i) {
    if (scripts[i] != USCRIPT_HIRAGANA && scripts[i] != USCRIPT_KATAKANA) return false;
  }
  return true;
}

Kind KindOf(uint32_t code_point) {
  const auto c = static_cast<UChar32>(code_point);
  const uint32_t category = U_GET_GC_MASK(c);
  if (u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT)) return Kind::kTransparent;
  if ((category & U_GC_CF_MASK) != 0) return Kind::kTransparent;
  if ((category & (U_GC_P_MASK | U_GC_Z_MASK | U_GC_CC_MASK)) != 0) return Kind::kSeparator;
  if (u_isUWhiteSpace(c)) return Kind::kSeparator;
  if ((category & U_GC_M_MASK) != 0) {
    const bool alone = u_getIntPropertyValue(c, UCHAR_GRAPHEME_CLUSTER_BREAK) == U_GCB_OTHER;
    return IsSouthEast(c) && alone ? Kind::kSea : Kind::kMark;
  }
  if ((category & (U_GC_L_MASK | U_GC_N_MASK)) == 0) return Kind::kSymbol;
  UErrorCode status = U_ZERO_ERROR;
  if (uscript_hasScript(c, USCRIPT_HAN)) return Kind::kHan;
  if (OnlyKana(c)) return Kind::kKana;
  if (uscript_getScript(c, &status) == USCRIPT_HANGUL) return Kind::kHangul;
  return IsSouthEast(c) ? Kind::kSea : Kind::kRun;
}

bool IsDecimal(uint32_t c) { return u_charType(static_cast<UChar32>(c)) == U_DECIMAL_DIGIT_NUMBER; }

// What follows folding: the script table, or from folded.v2 on the variant or look-alike.
uint32_t MapFolded(uint32_t c, FoldedVersion version) {
  static const std::unordered_map<uint32_t, uint32_t> variants = [] {
    std::unordered_map<uint32_t, uint32_t> all;
    for (size_t i = 0; i < kFoldVariantsSize; ++i) {
      all.emplace(kFoldVariants[i].code_point, kFoldVariants[i].target);
    }
    return all;
  }();
  if (version != FoldedVersion::kV1) {
    if (const auto variant = variants.find(c); variant != variants.end()) return variant->second;
  }
  const FoldRecord record = LookUpFold(c);
  return record.last_change() == LastChange::kScript ? record.Map(c) : c;
}

CodePoints MapCluster(const CodePoints& cluster, FoldedVersion version) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* nfkc = icu::Normalizer2::getNFKCInstance(status);
  icu::UnicodeString text = nfkc->normalize(ToIcu(cluster), status);
  text.foldCase(U_FOLD_CASE_DEFAULT);
  CodePoints mapped;
  for (const uint32_t c : FromIcu(nfkc->normalize(text, status))) {
    const uint32_t target = MapFolded(c, version);
    // ❿ is what ⑩ is
    const auto parts =
        target == c ? CodePoints{c} : FromIcu(nfkc->normalize(ToIcu({target}), status));
    mapped.insert(mapped.end(), parts.begin(), parts.end());
  }
  return mapped;
}

// Returns the ASCII operator that a folded character is, or 0.
char OperatorOf(uint32_t c) {
  static constexpr std::string_view kOperators = "!#%&*-/:?@[\\]_{}";
  if ((c >= 0x2010 && c <= 0x2015) || c == 0x2212) return '-';
  return c < 0x80 && kOperators.find(static_cast<char>(c)) != kOperators.npos ? static_cast<char>(c)
                                                                              : '\0';
}

// Spells what each character is for an operator beside it: an operator and ( ) = > as themselves,
// a letter or $ as a, a digit as 9, Han and the like as w, a symbol as +, an invisible character or
// a mark as ~, the line end as itself, white space as a blank, and anything else as a comma.
char SpellPart(uint32_t c) {
  if (const char op = OperatorOf(c); op != '\0') return op;
  if (c == '\n' || c == '(' || c == ')' || c == '=' || c == '>') return static_cast<char>(c);
  switch (KindOf(c)) {
    case Kind::kSeparator:
      return c == ' ' || (c >= '\t' && c <= '\r') ? ' ' : ',';
    case Kind::kTransparent:
    case Kind::kMark:
      return '~';
    case Kind::kSymbol:
      return c == '$' ? 'a' : '+';
    case Kind::kRun:
      return IsDecimal(c) ? '9' : 'a';
    default:
      return 'w';
  }
}

char SpellParts(const CodePoints& parts) {
  for (const uint32_t part : parts) {
    const char spelled = SpellPart(part);
    if (std::string_view("a9w+=>").find(spelled) != std::string_view::npos) return spelled;
  }
  return ',';
}

// The rule of operators, by its definition, on a text that is spelled.
class SpelledText {
 public:
  explicit SpelledText(const CodePoints& text) {
    for (const uint32_t c : text) {
      CodePoints parts = MapCluster({c}, FoldedVersion::kV3);
      ahead_ += parts.size() == 1 ? SpellPart(parts[0]) : SpellParts(parts);
      std::ranges::reverse(parts);
      back_ += parts.size() == 1 ? SpellPart(parts[0]) : SpellParts(parts);
    }
  }

  // The operator at `at` if it is a unit, or 0.
  char UnitAt(size_t at) const {
    const char op = ahead_[at];
    if (!IsOneOf(op, kOperators)) return '\0';
    std::string left = back_.substr(0, at).substr(at - std::min(at, kReach));
    if (const size_t line = left.rfind('\n'); line != left.npos) left.erase(0, line + 1);
    std::string right = ahead_.substr(at + 1, kReach);
    right = right.substr(0, right.find('\n'));
    std::erase(left, '~');
    std::erase(right, '~');
    left = WithoutEscapes(left + op);
    left.pop_back();
    right = WithoutEscapes(right);
    return Counts(op, left, right) ? op : '\0';
  }

 private:
  // Without \ before punctuation.
  static std::string WithoutEscapes(const std::string& spelled) {
    std::string kept;
    for (size_t i = 0; i < spelled.size(); ++i) {
      const bool is_escape =
          spelled[i] == '\\' && i + 1 < spelled.size() && !IsOneOf(spelled[i + 1], "a9w ");
      if (!is_escape) kept += spelled[i];
    }
    return kept;
  }

  static constexpr size_t kReach = 16;
  static constexpr std::string_view kOperators = "!#%&*-/:?@[\\]_{}";
  static bool IsOneOf(char c, std::string_view set) { return set.find(c) != set.npos; }

  static bool Counts(char op, std::string left, std::string right) {
    const bool is_bracket = IsOneOf(op, "[]{}");
    const size_t before_it = left.size() - (left.find_last_not_of(op) + 1);
    const size_t behind_it = op == '\\' ? 0 : std::min(right.find_first_not_of(op), right.size());
    const size_t run = 1 + before_it + behind_it;
    if (run > 2 && !is_bracket) return false;
    left.resize(left.size() - before_it);
    right.erase(0, behind_it);
    const std::string gap = " ,()" + std::string(kOperators);
    const size_t unit = left.find_last_not_of(gap);
    const char p = unit == left.npos ? '.' : left[unit];
    const char n =
        right.find_first_not_of(gap) == right.npos ? '.' : right[right.find_first_not_of(gap)];
    const char l = left.empty() ? '.' : left.back(), r = right.empty() ? '.' : right.front();
    const bool one_word = IsOneOf(p, "a9") || IsOneOf(n, "a9");
    const bool two_words = IsOneOf(p, "a9") && IsOneOf(n, "a9");
    if (op == '#' && IsOneOf(l, "a9")) return true;
    if (p == 'w' || n == 'w') return false;
    if (is_bracket || IsOneOf(op, "&/@%")) return one_word;
    if (op == '#' || op == '\\') return IsOneOf(r, "a9");
    if (op == '!') return IsOneOf(r, "a9=");
    if (op == '*' || op == '_') {
      if (l == ' ' && r == ' ') return two_words;
      return IsOneOf(l, "a9)]}") && IsOneOf(r, "a9([{\\");
    }
    if (before_it > 0) return false;  // one unit for two
    if (op == '?') return IsOneOf(l, "a9") && IsOneOf(r, "a9");
    if (op == ':') {
      return run == 1 ? l == '9' && r == '9' : IsOneOf(l, "a9");
    }
    const std::string between = left.substr(unit == left.npos ? 0 : unit + 1);
    const size_t nearest = between.find_last_of(kOperators);
    const char other = nearest == between.npos ? '.' : between[nearest];
    return (two_words && (p == '9' || n == '9')) || (p == '.' && r == '9') ||
           (IsOneOf(r, "a9") &&
            (IsOneOf(p, "+=>") || IsOneOf(other, "[{/%&") || (other == '*' && l != '*'))) ||
           (IsOneOf(p, "a9") && IsOneOf(r, "=>"));
  }

  std::string ahead_, back_;
};

// Gathers units in the order of the definition, one mapped code point after another.
class Units {
 public:
  explicit Units(FoldedVersion version) : version_(version) {}

  // `op` is the operator that the cluster begins with if it is a unit, or 0.
  void AddCluster(const CodePoints& cluster, char op) {
    const bool is_emoji =
        u_hasBinaryProperty(static_cast<UChar32>(cluster[0]), UCHAR_EXTENDED_PICTOGRAPHIC) ||
        u_hasBinaryProperty(static_cast<UChar32>(cluster[0]), UCHAR_REGIONAL_INDICATOR);
    for (const uint32_t c : MapCluster(cluster, version_)) {
      if (version_ == FoldedVersion::kV3 && OperatorOf(c) != '\0') {
        Close();
        if (op != '\0') symbols_.push_back(static_cast<uint32_t>(op));
      } else {
        Add(c, KindOf(c), is_emoji);
      }
    }
    if (kind_ != Kind::kRun) Close();
  }

  CodePoints Finish() {
    Close();
    return symbols_;
  }

 private:
  void Add(uint32_t c, Kind kind, bool is_emoji) {
    if (kind == Kind::kTransparent) return;
    if (kind == Kind::kMark) {
      if (kind_ && !point_) unit_.push_back(c);
      return;
    }
    if (kind == Kind::kSeparator) {
      const bool after_digit = kind_ == Kind::kRun && !point_ && IsDecimal(unit_.back());
      if ((c == '.' || c == ',') && after_digit) {
        point_ = c;
      } else {
        Close();
      }
      return;
    }
    const bool grows = (kind == Kind::kRun && kind_ == Kind::kRun && (!point_ || IsDecimal(c))) ||
                       (kind == Kind::kSea && kind_ == Kind::kSea) ||
                       (kind == Kind::kSymbol && kind_ == Kind::kSymbol && is_emoji);
    if (!grows) Close();
    if (point_) unit_.push_back(*point_);
    point_.reset();
    unit_.push_back(c);
    kind_ = kind;
  }

  void Close() {
    if (kind_) symbols_.push_back(unit_.size() == 1 ? unit_[0] : HashUnitByDefinition(unit_));
    kind_.reset();
    unit_.clear();
    point_.reset();
  }

  FoldedVersion version_;
  std::optional<Kind> kind_;
  std::optional<uint32_t> point_;
  CodePoints unit_;
  CodePoints symbols_;
};

}  // namespace

uint32_t HashUnitByDefinition(const CodePoints& unit) {
  const std::string bytes = Utf8(unit);
  uint64_t h = 0x9E3779B97F4A7C15;
  for (size_t i = 0; i < bytes.size(); i += 8) {
    uint64_t word = 0;
    for (size_t j = 0; j < 8 && i + j < bytes.size(); ++j) {
      word += static_cast<uint64_t>(static_cast<uint8_t>(bytes[i + j])) << (8 * j);
    }
    h = (h ^ word) * 0xD6E8FEB86659FD93;
    h = h ^ (h >> 32);
  }
  return static_cast<uint32_t>((h * 0xD6E8FEB86659FD93) >> 33) + 0x80000000;
}

std::string Utf8(const CodePoints& code_points) {
  std::string result;
  ToIcu(code_points).toUTF8String(result);
  return result;
}

std::string Utf8(std::u32string_view code_points) {
  return Utf8(CodePoints(code_points.begin(), code_points.end()));
}

std::string Unescape(const std::string& text) {
  std::string result;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text.compare(at, 2, "\\u") == 0) {
      result +=
          Utf8(CodePoints{static_cast<uint32_t>(std::stoul(text.substr(at + 2, 4), nullptr, 16))});
      at += 5;
    } else {
      result += text[at];
    }
  }
  return result;
}

std::vector<uint32_t> DecodeByIcu(std::string_view utf8) {
  CodePoints result;
  const auto* bytes = reinterpret_cast<const uint8_t*>(utf8.data());
  const auto size = static_cast<int32_t>(utf8.size());
  for (int32_t at = 0; at < size;) {
    const int32_t start = at;
    UChar32 c = 0;
    U8_NEXT(bytes, at, size, c);
    if (c < 0) at = start + 1;
    result.push_back(c < 0 ? 0xFFFD : static_cast<uint32_t>(c));
  }
  return result;
}

std::vector<size_t> ClusterEndsByIcu(const CodePoints& code_points) {
  UErrorCode status = U_ZERO_ERROR;
  static const std::unique_ptr<icu::BreakIterator> breaks(
      icu::BreakIterator::createCharacterInstance(icu::Locale::getRoot(), status));
  const icu::UnicodeString text = ToIcu(code_points);
  breaks->setText(text);
  std::vector<size_t> ends;
  for (int32_t at = breaks->next(); at != icu::BreakIterator::DONE; at = breaks->next()) {
    ends.push_back(static_cast<size_t>(text.countChar32(0, at)));
  }
  return ends;
}

std::vector<uint32_t> FoldByIcu(std::string_view utf8, FoldedVersion version) {
  constexpr size_t kLongestCluster = 256;
  CodePoints rest = DecodeByIcu(utf8);
  Units units(version);
  const SpelledText spelled(version == FoldedVersion::kV3 ? rest : CodePoints{});
  const size_t size = rest.size();
  while (!rest.empty()) {
    size_t begin = 0;
    for (const size_t end : ClusterEndsByIcu(rest)) {
      const size_t length = std::min(end - begin, kLongestCluster);
      const size_t at = size - rest.size() + begin;
      units.AddCluster({rest.begin() + static_cast<ptrdiff_t>(begin),
                        rest.begin() + static_cast<ptrdiff_t>(begin + length)},
                       version == FoldedVersion::kV3 ? spelled.UnitAt(at) : '\0');
      begin += length;
      if (begin != end) break;  // the rest is a text of its own
    }
    rest.erase(rest.begin(), rest.begin() + static_cast<ptrdiff_t>(begin));
  }
  return units.Finish();
}

}  // namespace zhiwen
