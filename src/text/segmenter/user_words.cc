#include "text/segmenter/user_words.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/utf8.h"

namespace zhiwen {
namespace {

constexpr std::string_view kByteOrderMark = "\uFEFF";
constexpr uint64_t kMostOccurrences = INT64_MAX;

std::string_view StripSpaces(std::string_view line) {
  constexpr std::string_view kSpaces = " \t\n\r\v\f";
  const size_t begin = line.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(kSpaces) - begin + 1);
}

// Takes the last field off `line` when all of it is of these characters and a word is left.
template <typename Predicate>
std::string_view TakeLastField(std::string_view& line, const Predicate& belongs) {
  const size_t space = line.rfind(' ');
  if (space == std::string_view::npos || space == 0) return {};
  const std::string_view field = line.substr(space + 1);
  if (field.empty() || !std::ranges::all_of(field, belongs)) return {};
  line = line.substr(0, space);
  return field;
}

size_t FirstCharacter(std::string_view utf8) {
  const auto* at = reinterpret_cast<const uint8_t*>(utf8.data());
  return DecodeCodePoint(at, at + utf8.size()).length;
}

}  // namespace

std::optional<UserWord> ParseUserWord(std::string_view line) {
  line = StripSpaces(line);
  while (line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  if (line.empty()) return std::nullopt;
  UserWord word;
  word.tag = TakeLastField(line, [](char c) { return c >= 'a' && c <= 'z'; });
  word.frequency = TakeLastField(line, IsAsciiDigit);
  word.word = line;
  return word;
}

UserWords::UserWords(const SegmenterData& data)
    : trie_(data.trie, data.frequencies, data.word_tags),
      occurrences_(data.head.occurrences),
      tags_(data.tags) {
  for (uint32_t i = 1; i < tags_.size(); ++i) tag_numbers_.emplace(tags_[i], i);
  for (std::string_view rest = data.other_words; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const size_t tab = std::min(line.find('\t'), line.size());
    uint64_t frequency = 0;
    std::from_chars(line.data() + std::min(tab + 1, line.size()), line.data() + line.size(),
                    frequency);
    SetFrequency(line.substr(0, tab), frequency);
  }
}

// The beginnings of a word are in the dictionary too, where they are not words.
void UserWords::SetFrequency(std::string_view word, uint64_t frequency) {
  std::vector<uint32_t> codes;
  bool is_other = false;
  for (size_t at = 0; at < word.size();) {
    const size_t end = at + FirstCharacter(word.substr(at));
    const auto code = CodesOfWord(word.substr(at, end - at));
    is_other = is_other || !code;
    if (is_other) {
      others_.try_emplace(std::string(word.substr(0, end)), 0);
    } else {
      codes.push_back(code->front());
    }
    at = end;
  }
  const uint32_t cell = trie_.Insert(codes);
  if (is_other) {
    others_[std::string(word)] = frequency;
  } else {
    trie_.SetFrequency(cell, frequency);
  }
}

std::optional<uint64_t> UserWords::FrequencyOf(std::string_view word) const {
  if (const auto codes = CodesOfWord(word)) {
    const auto* begin = reinterpret_cast<const uint8_t*>(word.data());
    const uint32_t cell = trie_.view().Find(begin, begin + word.size());
    if (cell == TrieView::kRoot) return std::nullopt;
    return trie_.frequencies()[cell];
  }
  const auto at = others_.find(word);
  if (at == others_.end()) return std::nullopt;
  return at->second;
}

// jieba.suggest_freq.
uint64_t UserWords::SuggestFrequency(std::string_view word) {
  Lexicon lexicon;
  FillLexicon(lexicon);
  const auto total = static_cast<double>(occurrences_);
  double share = 1;
  cutter_.Cut(lexicon, word, {.hmm = false}, [&](std::span<const Token> tokens) {
    for (const Token& token : tokens) {
      const auto part = word.substr(token.bytes.begin.value, token.bytes.size());
      share *= static_cast<double>(FrequencyOf(part).value_or(1)) / total;
    }
  });
  return std::max(static_cast<uint64_t>(share * total) + 1, FrequencyOf(word).value_or(1));
}

uint32_t UserWords::TagNumber(std::string_view tag) {
  const auto [at, is_new] =
      tag_numbers_.try_emplace(std::string(tag), static_cast<uint32_t>(tags_.size()));
  if (is_new) tags_.push_back(at->first);
  return at->second;
}

Status UserWords::AddWord(const UserWord& added) {
  uint64_t frequency = 0;
  if (added.frequency.empty()) {
    frequency = SuggestFrequency(added.word);
  } else {
    const char* const end = added.frequency.data() + added.frequency.size();
    const auto parsed = std::from_chars(added.frequency.data(), end, frequency);
    if (parsed.ec != std::errc()) frequency = UINT64_MAX;
  }
  if (frequency > kMostOccurrences - occurrences_) {
    return Fail(ErrorCode::kUnreadable,
                fmt::format("the frequency of \"{}\" is too large: give a smaller one",
                            std::string(added.word)));
  }
  SetFrequency(added.word, frequency);
  occurrences_ += frequency;
  if (frequency == 0) force_split_.emplace(added.word);
  if (added.tag.empty()) return {};
  const auto* begin = reinterpret_cast<const uint8_t*>(added.word.data());
  const uint32_t cell = trie_.view().Find(begin, begin + added.word.size());
  if (CodesOfWord(added.word)) trie_.SetTag(cell, TagNumber(added.tag));
  return {};
}

Status UserWords::AddLine(std::string_view line) {
  if (FindInvalidUtf8(line) != line.size()) {
    return Fail(ErrorCode::kUnreadable, "it is not UTF-8: save the dictionary as UTF-8");
  }
  const std::optional<UserWord> added = ParseUserWord(line);
  if (!added) return {};
  if (added->word.size() > kMostWordCharacters) {  // in bytes: about eighty Han are a sentence
    return Fail(ErrorCode::kUnreadable,
                fmt::format("its word has {} bytes, at most {}: a line is a word, then perhaps a "
                            "frequency and a tag, with spaces between",
                            added->word.size(), kMostWordCharacters));
  }
  return AddWord(*added);
}

Status UserWords::Add(const UserDictionary& dictionary) {
  const std::string_view content = dictionary.content;
  uint64_t number = 0;
  for (size_t at = 0; at < content.size();) {
    const size_t end = std::min(content.find('\n', at), content.size());
    ++number;
    if (Status added = AddLine(content.substr(at, end - at)); !added) {
      return Fail(added.error().code, fmt::format("cannot read user dictionary \"{}\" line {}: {}",
                                                  dictionary.name, number, added.error().message));
    }
    at = end + 1;
  }
  return {};
}

void UserWords::FillLexicon(Lexicon& lexicon) const {
  lexicon.trie = trie_.view();
  lexicon.user_tags = trie_.tags();
  lexicon.tags = tags_;
  lexicon.log_total = std::log(static_cast<double>(occurrences_));
  lexicon.force_split = force_split_.empty() ? nullptr : &force_split_;
}

}  // namespace zhiwen
