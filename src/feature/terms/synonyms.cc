#include <algorithm>
#include <bitset>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/files/user_lines.h"
#include "base/hash.h"
#include "text/segmenter/word_characters.h"
#include "zhiwen/terms.h"

namespace zhiwen {
namespace {

// The longest word allowed, which bounds the time for a byte of text.
constexpr size_t kMostWordBytes = 256;

// Returns whether the `size` bytes from `begin` do not cut through an ASCII word.
bool IsWhole(std::string_view text, size_t begin, size_t size) {
  const auto cut = [&](size_t at) {
    const auto is_word = [](char byte) { return IsAsciiLetterOrDigit(static_cast<uint8_t>(byte)); };
    return at > 0 && at < text.size() && is_word(text[at - 1]) && is_word(text[at]);
  };
  return !cut(begin) && !cut(begin + size);
}

// Returns whether the segmenter can give `word` as one token. The segmenter splits at characters
// that are not part of words.
bool CanBeToken(std::string_view word) {
  const auto* at = reinterpret_cast<const uint8_t*>(word.data());
  for (const uint8_t* const end = at + word.size(); at < end;) {
    const WordCharacter next = ReadWordCharacter(at, end, kTaggedWordAscii);
    if (next.code == 0) return false;
    at += next.length;
  }
  return true;
}

// A word of the file: its line, and the canonical word that replaces it.
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
    size_t canonical = 0;
    bool is_replaced = false;
    // Also true for a canonical word that the segmenter cannot give as one token.
    bool is_term = false;
  };

  void AddBeginning(std::string_view word);
  const Entry* FindLongest(std::string_view text, size_t at) const;

  std::vector<std::string> canonical;  // sorted
  std::vector<Entry> entries;          // sorted by word
  // The first two bytes of all words; the second byte is the high one.
  std::bitset<65536> beginnings;
};

void Synonyms::Words::AddBeginning(std::string_view word) {
  const auto first = static_cast<uint8_t>(word[0]);
  if (word.size() > 1) {
    beginnings.set(first | static_cast<size_t>(static_cast<uint8_t>(word[1])) << 8);
    return;
  }
  for (size_t second = 0; second < 256; ++second) beginnings.set(first | second << 8);
}

// Returns the longest word that begins at `at` in `text`.
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
    if (!entry.is_replaced) continue;
    hash.Add(fmt::format("{}\t{}\n", entry.word, words_->canonical[entry.canonical]));
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
    const auto found = std::ranges::lower_bound(words->canonical, place.canonical);
    const auto index = static_cast<size_t>(found - words->canonical.begin());
    words->entries.push_back({word, index, true, true});
  }
  for (size_t i = 0; i < words->canonical.size(); ++i) {
    const std::string& word = words->canonical[i];
    words->entries.push_back({word, i, false, !CanBeToken(word)});
  }
  std::ranges::sort(words->entries, {}, &Words::Entry::word);
  for (const Words::Entry& entry : words->entries) words->AddBeginning(entry.word);
  return std::shared_ptr<const Synonyms>(new Synonyms(std::move(words)));
}

std::optional<SynonymMatch> Synonyms::FindNext(std::string_view utf8, uint64_t from) const {
  for (size_t at = from; at < utf8.size();) {
    const auto first = static_cast<uint8_t>(utf8[at]);
    const size_t second = at + 1 < utf8.size() ? static_cast<uint8_t>(utf8[at + 1]) : 0;
    const Words::Entry* found =
        words_->beginnings[first | second << 8] ? words_->FindLongest(utf8, at) : nullptr;
    const size_t end = at + (found == nullptr ? 1 : found->word.size());
    if (found != nullptr && found->is_term) return SynonymMatch{{{at}, {end}}, found->canonical};
    at = end;
  }
  return std::nullopt;
}

const std::vector<std::string>& Synonyms::canonical() const { return words_->canonical; }

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

}  // namespace zhiwen
