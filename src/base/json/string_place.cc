#include "base/json/string_place.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "base/utf8/utf8.h"

namespace zhiwen {
namespace {

constexpr std::string_view kJsonSpace = " \t\r\n";
constexpr size_t kEscapeLength = 6;  // \u1234

// Walks over valid JSON.
class JsonWalk {
 public:
  explicit JsonWalk(std::string_view json) : json_(json) {}

  // Goes to the first brace; false where there is none.
  bool EnterRoot() {
    at_ = json_.find('{');
    return at_ != std::string_view::npos;
  }

  // Goes from the brace of an object to the value of its first `key`; false where there is none.
  bool Enter(std::string_view key) {
    ++at_;
    while (true) {
      PassSpace();
      if (at_ >= json_.size() || json_[at_] != '"') return false;
      const StringPlace name = PassString();
      PassSpace();
      ++at_;  // the colon
      PassSpace();
      if (IsKey(name, key)) return at_ < json_.size();
      PassValue();
      PassSpace();
      if (at_ >= json_.size() || json_[at_] != ',') return false;
      ++at_;
    }
  }

  bool IsObject() const { return json_[at_] == '{'; }

  std::optional<StringPlace> TakeString() {
    if (json_[at_] != '"') return std::nullopt;
    return PassString();
  }

 private:
  void PassSpace() { at_ = std::min(json_.find_first_not_of(kJsonSpace, at_), json_.size()); }

  StringPlace PassString() {
    StringPlace place{at_ + 1, at_ + 1};
    while (place.end < json_.size() && json_[place.end] != '"') {
      place.end += json_[place.end] == '\\' ? 2 : 1;
    }
    at_ = place.end + 1;
    return place;
  }

  void PassValue() {
    size_t depth = 0;
    while (at_ < json_.size()) {
      const char c = json_[at_];
      if (c == '"') {
        PassString();
      } else if (depth == 0 && (c == ',' || c == '}' || c == ']')) {
        return;
      } else {
        depth += c == '{' || c == '[' ? 1 : 0;
        depth -= c == '}' || c == ']' ? 1 : 0;
        ++at_;
      }
    }
  }

  bool IsKey(const StringPlace& name, std::string_view key) const {
    const std::string_view inside = json_.substr(name.begin, name.end - name.begin);
    if (inside.find('\\') == std::string_view::npos) return inside == key;
    std::string decoded;
    VisitJsonString(inside, [&](std::string_view bytes, std::string_view) { decoded += bytes; });
    return decoded == key;
  }

  std::string_view json_;
  size_t at_ = 0;
};

uint32_t CodeUnit(std::string_view escape) {
  uint32_t unit = 0;
  std::from_chars(escape.data() + 2, escape.data() + kEscapeLength, unit, 16);
  return unit;
}

// The character of an escape at the beginning of `rest`, and how long the escape is.
size_t DecodeEscape(std::string_view rest, std::string& bytes) {
  bytes.clear();
  if (rest.size() < kEscapeLength || rest[1] != 'u') {
    constexpr std::string_view kLetters = "bfnrt", kCharacters = "\b\f\n\r\t";
    const size_t letter = kLetters.find(rest[1]);
    bytes += letter == std::string_view::npos ? rest[1] : kCharacters[letter];
    return 2;
  }
  const uint32_t unit = CodeUnit(rest);
  if (unit < 0xD800 || unit > 0xDBFF || rest.size() < 2 * kEscapeLength) {
    AppendUtf8(unit, bytes);
    return kEscapeLength;
  }
  const uint32_t low = CodeUnit(rest.substr(kEscapeLength));
  AppendUtf8(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00), bytes);
  return 2 * kEscapeLength;
}

}  // namespace

std::optional<StringPlace> FindJsonString(std::string_view json,
                                          std::span<const std::string> path) {
  JsonWalk walk(json);
  if (path.empty() || !walk.EnterRoot()) return std::nullopt;
  for (size_t i = 0; i < path.size(); ++i) {
    if (i > 0 && !walk.IsObject()) return std::nullopt;
    if (!walk.Enter(path[i])) return std::nullopt;
  }
  return walk.TakeString();
}

void VisitJsonString(
    std::string_view inside,
    const std::function<void(std::string_view bytes, std::string_view spelled)>& visit) {
  std::string bytes;
  for (size_t at = 0; at < inside.size();) {
    if (inside[at] == '\\') {
      const size_t length = DecodeEscape(inside.substr(at), bytes);
      visit(bytes, inside.substr(at, length));
      at += length;
      continue;
    }
    size_t end = at + 1;
    while (end < inside.size() && (static_cast<unsigned char>(inside[end]) & 0xC0) == 0x80) ++end;
    visit(inside.substr(at, end - at), inside.substr(at, end - at));
    at = end;
  }
}

}  // namespace zhiwen
