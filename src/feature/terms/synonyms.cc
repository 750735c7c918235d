#include <algorithm>
#include <bitset>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/user_lines.h"
#include "text/segmenter/word_characters.h"
#include "zhiwen/terms.h"

namespace zhiwen {
namespace {

constexpr size_t kMostWordBytes = 256;  // the time for a byte of text is bounded by it

// Whether `size` bytes from `begin` are no part of an ASCII word.
bool IsWhole(std::string_view text, size_t begin, size_t size) {
  const auto cut = [&](size_t at) {
    const auto is_word = [](char byte) { return IsAsciiLetterOrDigit(static_cast<uint8_t>(byte)); };
    return at > 0 && at < text.size() && is_word(text[at - 1]) && is_word(text[at]);
  };
  return !cut(begin) && !cut(begin + size);
}

// Whether the segmenter can give `word` as one token: it looks for words between other characters.
bool CanBeToken(std::string_view word) {
  const auto* at = reinterpret_cast<const uint8_t*>(word.data());
  for (const uint8_t* const end = at + word.size(); at < end;) {
    const WordCharacter next = ReadWordCharacter(at, end, kTaggedWordAscii);
    if (next.code == 0) return false;
    at += next.length;
  }
  return true;
}

// A word of the file: where it stands, and the word that is written for it.
struct Place {
  size_t line = 0;
  std::string canonical;
};

// Adds the words of a line.
Status AddLine(const UserLine& line, std::map<std::string, Place>& replaced,
               std::map<std::string, size_t>& canonical) {
  std::vector<std::string> words;
  for (size_t at = 0; at <= line.text.size();) {
    const size_t end = std::min(line.text.find('\t', at), line.text.size());
    words.emplace_back(TrimBlanks(line.text.substr(at, end - at)));
    if (words.back().empty()) return line.Fault("it has an empty word; take a tab out");
    if (words.back().size() > kMostWordBytes) {
      return line.Fault(
          fmt::format("it has a word of more than {} bytes; shorten it", kMostWordBytes));
    }
    at = end + 1;
  }
  if (words.size() < 2) {
    return line.Fault("it has one word only; write the canonical word, a tab, and the others");
  }
  canonical.try_emplace(words[0], line.number);
  for (size_t i = 1; i < words.size(); ++i) {
    if (words[i] == words[0])
      return line.Fault(fmt::format("\"{}\" replaces itself; write it once", words[0]));
    const auto [place, added] = replaced.try_emplace(words[i], Place{line.number, words[0]});
    if (!added) {
      return line.Fault(fmt::format("\"{}\" is on line {} already; keep one of them", words[i],
                                    place->second.line));
    }
  }
  return {};
}

}  // namespace

struct Synonyms::Words {
  struct Entry {
    std::string word;
    std::string_view canonical;  // empty: it stays
    bool is_whole = false;       // the canonical word is no token of the segmenter's
  };

  void AddBeginning(std::string_view word);
  const Entry* FindLongest(std::string_view text, size_t at) const;

  std::vector<std::string> canonical;  // sorted
  std::vector<Entry> entries;          // sorted by word
  std::bitset<65536> beginnings;       // the first two bytes of words, the second above
};

void Synonyms::Words::AddBeginning(std::string_view word) {
  const auto first = static_cast<uint8_t>(word[0]);
  if (word.size() > 1) {
    beginnings.set(first | static_cast<size_t>(static_cast<uint8_t>(word[1])) << 8);
    return;
  }
  for (size_t second = 0; second < 256; ++second) beginnings.set(first | second << 8);
}

// The longest word that `text` has at `at`.
const Synonyms::Words::Entry* Synonyms::Words::FindLongest(std::string_view text, size_t at) const {
  const Entry* best = nullptr;
  auto begin = entries.begin();
  auto end = entries.end();
  for (size_t depth = 0; begin != end; ++depth) {
    if (begin->word.size() == depth) {
      if (IsWhole(text, at, depth)) best = &*begin;
      ++begin;
    }
    if (at + depth == text.size()) break;
    const auto byte = static_cast<uint8_t>(text[at + depth]);
    const auto byte_of = [depth](const Entry& entry) {
      return static_cast<uint8_t>(entry.word[depth]);
    };
    const auto same = std::ranges::equal_range(begin, end, byte, {}, byte_of);
    begin = same.begin();
    end = same.end();
  }
  return best;
}

Synonyms::Synonyms(std::unique_ptr<const Words> words) : words_(std::move(words)) {
  StreamHash64 hash;
  for (const Words::Entry& entry : words_->entries) {
    if (!entry.canonical.empty()) hash.Add(fmt::format("{}\t{}\n", entry.word, entry.canonical));
  }
  id_ = fmt::format("{:016x}", hash.Finish());
}

Synonyms::~Synonyms() = default;

Result<std::shared_ptr<const Synonyms>> Synonyms::Parse(const UserFile& file) {
  std::map<std::string, Place> replaced;
  std::map<std::string, size_t> canonical;
  ZHIWEN_RETURN_IF_ERROR(ForEachUserLine(file, UserComments::kHash, [&](const UserLine& line) {
    return AddLine(line, replaced, canonical);
  }));
  auto words = std::make_unique<Words>();
  for (const auto& [word, line] : canonical) words->canonical.push_back(word);
  for (const auto& [word, place] : replaced) {
    const auto chained = canonical.find(word);
    if (chained != canonical.end()) {
      return UserLine{.file = file.name, .number = place.line, .text = {}}.Fault(
          fmt::format("\"{}\" is replaced here and replaces others on line {}; give one canonical "
                      "word for all of them",
                      word, chained->second));
    }
    const auto whole = std::ranges::lower_bound(words->canonical, place.canonical);
    words->entries.push_back({word, *whole, !CanBeToken(*whole)});
  }
  for (const std::string& word : words->canonical) {
    words->entries.push_back({word, {}, !CanBeToken(word)});
  }
  std::ranges::sort(words->entries, {}, &Words::Entry::word);
  for (const Words::Entry& entry : words->entries) words->AddBeginning(entry.word);
  return std::shared_ptr<const Synonyms>(new Synonyms(std::move(words)));
}

ReplacedText Synonyms::Replace(std::string_view utf8) const {
  ReplacedText result(utf8);
  size_t copied = 0;
  for (size_t at = 0; at < utf8.size();) {
    const auto first = static_cast<uint8_t>(utf8[at]);
    const size_t second = at + 1 < utf8.size() ? static_cast<uint8_t>(utf8[at + 1]) : 0;
    const Words::Entry* found =
        words_->beginnings[first | second << 8] ? words_->FindLongest(utf8, at) : nullptr;
    if (found == nullptr) {
      ++at;
      continue;
    }
    const size_t end = at + found->word.size();
    const size_t begin = result.text_.size() + at - copied;
    const size_t size = found->canonical.empty() ? found->word.size() : found->canonical.size();
    if (found->is_whole) result.wholes_.push_back({{begin}, {begin + size}});
    if (!found->canonical.empty()) {
      result.text_ += utf8.substr(copied, at - copied);
      result.text_ += found->canonical;
      result.edits_.push_back({{{begin}, {begin + size}}, {{at}, {end}}});
      copied = end;
    }
    at = end;
  }
  if (!result.edits_.empty()) result.text_ += utf8.substr(copied);
  return result;
}

UserFile Synonyms::canonical_words() const {
  UserFile dictionary{.name = "canonical words of the synonyms", .content = {}};
  for (const std::string& word : words_->canonical) {
    if (CanBeToken(word)) dictionary.content += word + "\n";
  }
  return dictionary;
}

bool Synonyms::IsCanonical(std::string_view word) const {
  return std::ranges::binary_search(words_->canonical, word);
}

ByteSpan ReplacedText::SourceOf(ByteSpan span) const {
  // The last edit that begins before `at`, or there where `at` begins a span.
  const auto edit_before = [&](uint64_t at) -> const Edit* {
    const auto behind = std::ranges::partition_point(
        edits_, [&](const Edit& edit) { return edit.text.begin.value < at; });
    return behind == edits_.begin() ? nullptr : &*(behind - 1);
  };
  ByteSpan source = span;
  if (const Edit* edit = edit_before(span.begin.value + 1)) {
    source.begin = span.begin < edit->text.end ? edit->source.begin
                                               : edit->source.end + (span.begin - edit->text.end);
  }
  if (const Edit* edit = edit_before(span.end.value)) {
    source.end = span.end <= edit->text.end ? edit->source.end
                                            : edit->source.end + (span.end - edit->text.end);
  }
  return source;
}

}  // namespace zhiwen
