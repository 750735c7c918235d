#include "text/segmenter/user_words.h"
#include "base/utf8/utf8.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace zhiwen {
namespace {

constexpr uint64_t kMostOccurrences = INT64_MAX;

// Removes and returns the last field of `line` when all its characters are accepted and a word is
// left.
template <typename Predicate>
std::string_view TakeLastField(std::string_view& line, const Predicate& belongs) {
  const size_t space = line.rfind(' ');
  if (space == std::string_view::npos || space == 0) return {};
  const std::string_view field = line.substr(space + 1);
  if (field.empty() || !std::ranges::all_of(field, belongs)) return {};
  line = line.substr(0, space);
  return field;
}

// Returns whether `field` looks like a frequency, right or wrong: 5, -5, 3.5, 1,000, 1e5, ５.
bool IsNumber(std::string_view field) {
  constexpr std::string_view kFullWidthDigits = "０１２３４５６７８９";
  bool has_digit = false;
  while (!field.empty()) {
    const std::string_view next = field.substr(0, DecodeAt(field, 0).length);
    const bool is_digit =
        IsAsciiDigit(static_cast<uint8_t>(next[0])) ||
        (next.size() == 3 && kFullWidthDigits.find(next) != std::string_view::npos);
    const bool may_follow = next == "e" || next == "E";
    if (!is_digit && !(may_follow && has_digit) &&
        std::string_view("+-.,_").find(next) == std::string_view::npos) {
      return false;
    }
    has_digit = has_digit || is_digit;
    field.remove_prefix(next.size());
  }
  return has_digit;
}

// Returns the first number among the fields after the first one, or an empty view.
std::string_view FindNumberField(std::string_view word) {
  for (size_t space = word.find(' '); space != std::string_view::npos;) {
    const size_t end = word.find(' ', space + 1);
    const std::string_view field = word.substr(space + 1, end - space - 1);
    if (IsNumber(field)) return field;
    space = end;
  }
  return {};
}

}  // namespace

UserWord ParseUserWord(std::string_view line) {
  line = TrimBlanks(line);
  UserWord word;
  word.tag = TakeLastField(line, [](char c) { return c >= 'a' && c <= 'z'; });
  word.frequency = TakeLastField(line, IsAsciiDigit);
  word.word = line;
  return word;
}

std::string FaultOf(const UserWord& read) {
  // In bytes: about eighty Han characters, as many as a sentence.
  if (read.word.size() > kMostWordCharacters) {
    return fmt::format("its word has {} bytes, at most {}; write a word a line", read.word.size(),
                       kMostWordCharacters);
  }
  if (read.word.find('\t') != std::string_view::npos) {
    return "a tab would be a part of the word; write one space between word, frequency and tag";
  }
  if (read.word.ends_with(' ')) {
    return "a second space would be a part of the word; write one between word, frequency and tag";
  }
  if (!read.frequency.empty()) return {};
  const std::string_view number = FindNumberField(read.word);
  if (number.empty()) return {};
  return fmt::format(
      "\"{}\" would be a part of the word; a line is a word, a frequency (0-9) and a "
      "tag (a-z), and a word with spaces needs its frequency",
      number);
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
    others_.insert_or_assign(std::string(line.substr(0, tab)), frequency);
  }
}

void UserWords::SetFrequency(std::string_view word, uint64_t frequency) {
  if (const auto codes = CodesOfWord(word)) {
    trie_.SetFrequency(trie_.Insert(*codes), frequency);
  } else {
    others_.insert_or_assign(std::string(word), frequency);
  }
}

// The trie also contains the beginnings of words. Those that are not words have the frequency 0.
std::optional<uint64_t> UserWords::FrequencyOf(std::string_view word) const {
  if (CodesOfWord(word)) {
    const auto* begin = reinterpret_cast<const uint8_t*>(word.data());
    const uint32_t cell = trie_.view().Find(begin, begin + word.size());
    if (cell != TrieView::kRoot) return trie_.frequency(cell);
  }
  const auto at = others_.lower_bound(word);
  if (at == others_.end() || !at->first.starts_with(word)) return std::nullopt;
  return at->first.size() == word.size() ? at->second : 0;
}

// Computes the frequency as jieba.suggest_freq does.
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
  // In a real dictionary no word is more frequent than all words together; in a forged one it may
  // be.
  const double suggested = std::min(share * total, static_cast<double>(kMostOccurrences / 2));
  return std::max(static_cast<uint64_t>(suggested) + 1, FrequencyOf(word).value_or(1));
}

uint32_t UserWords::TagNumber(std::string_view tag) {
  const auto [at, is_new] =
      tag_numbers_.try_emplace(std::string(tag), static_cast<uint32_t>(tags_.size()));
  if (is_new) tags_.push_back(at->first);
  return at->second;
}

Status UserWords::AddLine(const UserLine& line) {
  lines_.Add(fmt::format("{}\n", TrimBlanks(line.text)));
  const UserWord added = ParseUserWord(line.text);
  if (const std::string fault = FaultOf(added); !fault.empty()) return line.Fault(fault);
  uint64_t frequency = 0;
  if (added.frequency.empty()) {
    frequency = SuggestFrequency(added.word);
  } else {
    const char* const end = added.frequency.data() + added.frequency.size();
    const auto parsed = std::from_chars(added.frequency.data(), end, frequency);
    if (parsed.ec != std::errc()) frequency = UINT64_MAX;
  }
  if (frequency > kMostOccurrences - occurrences_) {
    return line.Fault(
        fmt::format("the frequency of \"{}\" is too large; give a smaller one", added.word));
  }
  if (trie_.IsFull()) {
    return line.Fault("there are too many words up to here; leave out those that are rare");
  }
  SetFrequency(added.word, frequency);
  occurrences_ += frequency;
  if (frequency == 0) force_split_.emplace(added.word);
  if (added.tag.empty() || !CodesOfWord(added.word)) return {};
  const auto* begin = reinterpret_cast<const uint8_t*>(added.word.data());
  const uint32_t cell = trie_.view().Find(begin, begin + added.word.size());
  trie_.SetTag(cell, TagNumber(added.tag));
  return {};
}

Status UserWords::Add(const UserFile& dictionary) {
  return ForEachUserLine(dictionary, UserComments::kNone,
                         [this](const UserLine& line) { return AddLine(line); });
}

void UserWords::FillLexicon(Lexicon& lexicon) const {
  lexicon.trie = trie_.view();
  lexicon.user_tags = trie_.tags();
  lexicon.tags = tags_;
  lexicon.log_total = std::log(static_cast<double>(occurrences_));
  lexicon.force_split = force_split_.empty() ? nullptr : &force_split_;
}

}  // namespace zhiwen
