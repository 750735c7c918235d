#include "fingerprint/scheme_name.h"

#include <utility>

#include <fmt/format.h>

namespace zhiwen {
namespace {

constexpr size_t kMaxBytes = 1024;
constexpr int kMaxDepth = 8;

bool IsWordByte(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= '0' && byte <= '9') || byte == '_' || byte == '.' || byte == '-';
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<SchemeName> Parse() {
    ZHIWEN_ASSIGN_OR_RETURN(SchemeName name, Name(0));
    SkipSpaces();
    if (at_ < text_.size()) return Unexpected("the name should end");
    return name;
  }

 private:
  Result<SchemeName> Name(int depth) {
    SchemeName name;
    ZHIWEN_ASSIGN_OR_RETURN(name.word, Word(name.position));
    if (!Take('(')) return name;
    if (depth == kMaxDepth) return Unexpected("names are nested too deeply");
    do {
      ZHIWEN_ASSIGN_OR_RETURN(SchemeArgument argument, Argument(depth));
      name.arguments.push_back(std::move(argument));
    } while (Take(','));
    if (!Take(')')) return Unexpected("expected \",\" or \")\"");
    return name;
  }

  Result<SchemeArgument> Argument(int depth) {
    SchemeArgument argument;
    ZHIWEN_ASSIGN_OR_RETURN(argument.value, Name(depth + 1));
    argument.position = argument.value.position;
    if (!argument.value.arguments.empty() || !Take('=')) return argument;
    argument.key = std::move(argument.value.word);
    ZHIWEN_ASSIGN_OR_RETURN(argument.value, Name(depth + 1));
    return argument;
  }

  // Returns the next word and sets `position` to where it starts.
  Result<std::string> Word(size_t& position) {
    SkipSpaces();
    const size_t begin = at_;
    position = begin + 1;
    while (at_ < text_.size() && IsWordByte(text_[at_])) ++at_;
    if (at_ == begin) return Unexpected("expected a word");
    return std::string(text_.substr(begin, at_ - begin));
  }

  bool Take(char wanted) {
    SkipSpaces();
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  void SkipSpaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  tl::unexpected<Error> Unexpected(std::string_view what) {
    return FailAt(text_, at_ + 1, what, "a name looks like simhash64(feature=shingle(k=3))");
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

Result<SchemeName> ParseSchemeName(std::string_view text) {
  if (text.size() > kMaxBytes) {
    return FailAt(text.substr(0, 64), kMaxBytes + 1, "the name goes on",
                  fmt::format("names have at most {} bytes", kMaxBytes));
  }
  return Parser(text).Parse();
}

std::string PrintSchemeName(const SchemeName& name) {
  std::string text = name.word;
  for (const SchemeArgument& argument : name.arguments) {
    text += &argument == &name.arguments.front() ? '(' : ',';
    if (!argument.key.empty()) text += argument.key + '=';
    text += PrintSchemeName(argument.value);
  }
  if (!name.arguments.empty()) text += ')';
  return text;
}

tl::unexpected<Error> FailAt(std::string_view text, size_t position, std::string_view what,
                             std::string_view hint) {
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("cannot use the scheme \"{}\": {} at character {}; {}", text, what,
                          position, hint));
}

}  // namespace zhiwen
