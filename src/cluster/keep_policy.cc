#include "cluster/keep_policy.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

#include "base/utf8/utf8.h"
#include "document/parse_date.h"

namespace zhiwen {
namespace {

constexpr size_t kMaxTerms = 64;
constexpr std::string_view kWhatExists =
    "first, longest, shortest, earliest(field), latest(field), highest(field), lowest(field), "
    "prefer(field=value,…) and none";

constexpr std::string_view kNone = "none";

struct Word {
  std::string_view name;
  uint8_t kind;
  bool takes_field;
  bool takes_choices;
};

// Ordered as KeepPolicy::Term::Kind; "none" comes last and is not a term.
constexpr Word kWords[] = {
    {"first", 0, false, false},   {"longest", 1, false, false}, {"shortest", 2, false, false},
    {"earliest", 3, true, false}, {"latest", 4, true, false},   {"highest", 5, true, false},
    {"lowest", 6, true, false},   {"prefer", 7, true, true},    {kNone, 8, false, false},
};

const Word* FindWord(std::string_view name) {
  for (const Word& word : kWords) {
    if (word.name == name) return &word;
  }
  return nullptr;
}

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool IsPunctuation(char c) { return c == ',' || c == '(' || c == ')' || c == '=' || c == '"'; }

// Reads words, quoted words and punctuation; keeps the position for messages.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) { SkipSpace(); }

  bool done() const { return next_ == text_.size(); }

  // Returns the 1-based position in characters.
  size_t position() const {
    size_t characters = 1;
    for (size_t i = 0; i < next_; ++i) {
      if (!IsContinuation(text_[i])) ++characters;
    }
    return characters;
  }

  bool Skip(char c) {
    if (done() || text_[next_] != c) return false;
    ++next_;
    SkipSpace();
    return true;
  }

  // Reads a quoted string, or a run without punctuation whose surrounding spaces are dropped.
  // Returns nothing when the run is empty or a quote is not closed.
  std::optional<std::string> ReadName() {
    if (!done() && text_[next_] == '"') return ReadQuoted();
    const size_t begin = next_;
    while (!done() && !IsPunctuation(text_[next_])) ++next_;
    size_t end = next_;
    while (end > begin && IsSpace(text_[end - 1])) --end;
    if (end == begin) return std::nullopt;
    return std::string(text_.substr(begin, end - begin));
  }

  // Describes the next character for error messages.
  std::string Found() const {
    if (done()) return "the end";
    size_t end = next_ + 1;
    while (end < text_.size() && IsContinuation(text_[end])) ++end;
    return fmt::format("\"{}\"", text_.substr(next_, end - next_));
  }

 private:
  void SkipSpace() {
    while (!done() && IsSpace(text_[next_])) ++next_;
  }

  std::optional<std::string> ReadQuoted() {
    std::string name;
    for (size_t i = next_ + 1; i < text_.size(); ++i) {
      if (text_[i] == '"') {
        next_ = i + 1;
        SkipSpace();
        return name;
      }
      if (text_[i] == '\\' && i + 1 < text_.size()) ++i;
      name += text_[i];
    }
    return std::nullopt;
  }

  std::string_view text_;
  size_t next_ = 0;
};

tl::unexpected<Error> FailAt(const Scanner& scanner, std::string_view problem) {
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("keep policy: {} at character {}, found {}", problem, scanner.position(),
                          scanner.Found()));
}

struct Criterion {
  const Word* word = nullptr;
  std::string field;
  std::vector<std::string> choices;
};

Status ReadChoices(Scanner& scanner, Criterion& criterion) {
  if (!scanner.Skip('=')) return FailAt(scanner, "prefer needs =value,… after its field");
  do {
    auto choice = scanner.ReadName();
    if (!choice) return FailAt(scanner, "expected a value of prefer");
    if (std::count(criterion.choices.begin(), criterion.choices.end(), *choice) > 0) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("keep policy: prefer names the value \"{}\" twice", *choice));
    }
    criterion.choices.push_back(*std::move(choice));
  } while (scanner.Skip(','));
  return {};
}

Result<Criterion> ReadCriterion(Scanner& scanner) {
  const size_t position = scanner.position();
  const auto name = scanner.ReadName();
  if (!name) return FailAt(scanner, fmt::format("expected one of {}", kWhatExists));
  Criterion criterion{FindWord(*name), {}, {}};
  if (criterion.word == nullptr) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("keep policy: unknown word \"{}\" at character {}; there are {}", *name,
                            position, kWhatExists));
  }
  if (!criterion.word->takes_field) return criterion;
  if (!scanner.Skip('(')) return FailAt(scanner, fmt::format("{} needs (field)", *name));
  auto field = scanner.ReadName();
  if (!field) return FailAt(scanner, fmt::format("expected the field of {}", *name));
  criterion.field = *std::move(field);
  if (criterion.word->takes_choices) ZHIWEN_RETURN_IF_ERROR(ReadChoices(scanner, criterion));
  if (!scanner.Skip(')')) return FailAt(scanner, fmt::format("expected ) after {}", *name));
  return criterion;
}

std::string Quoted(const std::string& name) {
  const bool plain = !name.empty() && !IsSpace(name.front()) && !IsSpace(name.back()) &&
                     std::none_of(name.begin(), name.end(), IsPunctuation);
  if (plain) return name;
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

void AppendBigEndian(uint64_t value, std::string& key) {
  for (int shift = 56; shift >= 0; shift -= 8) key += static_cast<char>(value >> shift & 0xFF);
}

constexpr uint64_t kSignBit = uint64_t{1} << 63;

// Maps signed numbers and doubles to unsigned numbers of the same order; −0 equals 0.
uint64_t OrderedBits(int64_t value) { return static_cast<uint64_t>(value) ^ kSignBit; }
uint64_t OrderedBits(double value) {
  const auto bits = std::bit_cast<uint64_t>(value == 0 ? 0.0 : value);
  return (bits & kSignBit) != 0 ? ~bits : bits | kSignBit;
}

template <typename T>
bool AppendOrdered(std::optional<T> value, bool descending, std::string& key) {
  key += value ? '\0' : '\1';
  const uint64_t bits = value ? OrderedBits(*value) : 0;
  AppendBigEndian(value && descending ? ~bits : bits, key);
  return value.has_value();
}

}  // namespace

std::optional<double> ParseNumber(std::string_view text) {
  while (!text.empty() && IsSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsSpace(text.back())) text.remove_suffix(1);
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (!std::isfinite(value)) return std::nullopt;  // excludes "inf" and "nan"
  return value;
}

size_t KeepPolicy::FieldIndex(const std::string& name) {
  const auto found = std::find(fields_.begin(), fields_.end(), name);
  const auto index = static_cast<size_t>(found - fields_.begin());
  if (found == fields_.end()) fields_.push_back(name);
  return index;
}

Result<KeepPolicy> KeepPolicy::Parse(std::string_view text) {
  KeepPolicy policy;
  Scanner scanner(text);
  do {
    ZHIWEN_ASSIGN_OR_RETURN(Criterion criterion, ReadCriterion(scanner));
    if (criterion.word->name == kNone) {
      policy.keeps_none_ = true;
      continue;
    }
    Term term{static_cast<Term::Kind>(criterion.word->kind), 0, std::move(criterion.choices)};
    if (ReadsField(term.kind)) term.field = policy.FieldIndex(criterion.field);
    policy.uses_position_ |= term.kind == Term::Kind::kFirst;
    policy.terms_.push_back(std::move(term));
  } while (scanner.Skip(','));
  if (!scanner.done()) return FailAt(scanner, "expected a comma or the end");
  if (policy.terms_.empty()) policy.terms_.push_back({});
  if (policy.terms_.size() > kMaxTerms) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("keep policy: {} criteria, at most {} are possible",
                            policy.terms_.size(), kMaxTerms));
  }
  return policy;
}

std::string KeepPolicy::ToString() const {
  std::string text;
  for (const Term& term : terms_) {
    if (!text.empty()) text += ',';
    text += kWords[static_cast<size_t>(term.kind)].name;
    if (!ReadsField(term.kind)) continue;
    text += '(' + Quoted(fields_[term.field]);
    char separator = '=';
    for (const std::string& choice : term.choices) {
      text += separator + Quoted(choice);
      separator = ',';
    }
    text += ')';
  }
  if (keeps_none_) text += fmt::format(",{}", kNone);
  return text;
}

bool KeepPolicy::AppendFieldKey(const Term& term, std::optional<std::string_view> value,
                                std::string& key) {
  using Kind = Term::Kind;
  if (term.kind == Kind::kEarliest || term.kind == Kind::kLatest) {
    return AppendOrdered(value ? ParseDate(*value) : std::nullopt, term.kind == Kind::kLatest, key);
  }
  if (term.kind == Kind::kHighest || term.kind == Kind::kLowest) {
    return AppendOrdered(value ? ParseNumber(*value) : std::nullopt, term.kind == Kind::kHighest,
                         key);
  }
  const size_t others = term.choices.size();
  size_t place = others + 1;
  if (value) {
    const auto found = std::find(term.choices.begin(), term.choices.end(), *value);
    place = static_cast<size_t>(found - term.choices.begin());
  }
  AppendBigEndian(place, key);
  return value.has_value();
}

void KeepPolicy::AppendKey(uint64_t length, std::span<const std::optional<std::string_view>> values,
                           std::span<uint64_t> missing, std::string& key) const {
  // Bit i is set once field i is counted; there are at most kMaxTerms fields.
  uint64_t counted = 0;
  size_t end = std::string::npos;
  for (const Term& term : terms_) {
    if (term.kind == Term::Kind::kFirst) end = std::min(end, key.size());
    if (!ReadsField(term.kind)) {
      AppendBigEndian(term.kind == Term::Kind::kLongest ? ~length : length, key);
      continue;
    }
    const uint64_t bit = uint64_t{1} << term.field;
    if (!AppendFieldKey(term, values[term.field], key) && (counted & bit) == 0) {
      ++missing[term.field];
      counted |= bit;
    }
  }
  if (end != std::string::npos) key.resize(end);
}

}  // namespace zhiwen
