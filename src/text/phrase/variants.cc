// The file of --variants: words of a user, and what stands for each (zhiwen/channel.h,
// docs/formats/channels.md).
#include <fmt/format.h>

#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "base/hash.h"
#include "base/utf8.h"
#include "base/value_bytes.h"
#include "text/fold.h"
#include "text/phrase/phrase_view.h"

namespace zhiwen {
namespace {

constexpr std::string_view kBlanks = " \t\r";

using Symbols = std::vector<uint32_t>;

// The words of a line, parted by spaces and tabs.
std::vector<std::string_view> WordsOf(std::string_view line) {
  std::vector<std::string_view> words;
  for (size_t at = line.find_first_not_of(kBlanks); at != std::string_view::npos;) {
    const size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(kBlanks, end);
  }
  return words;
}

bool IsComment(std::string_view line) {
  return line.starts_with('#') &&
         (line.size() == 1 || kBlanks.find(line[1]) != std::string_view::npos);
}

class VariantsReader {
 public:
  explicit VariantsReader(std::string_view file_name) : file_name_(file_name) {}

  // The array of a PhraseTable.
  Result<Symbols> Read(std::string_view content) {
    if (content.starts_with("\uFEFF")) content.remove_prefix(3);
    for (size_t at = 0; at < content.size();) {
      const size_t end = std::min(content.find('\n', at), content.size());
      ++line_;
      ZHIWEN_RETURN_IF_ERROR(TakeLine(content.substr(at, end - at)));
      at = end + 1;
    }
    ZHIWEN_RETURN_IF_ERROR(RefuseChains());
    KeepOutputs();
    if (builder_.size() == 0) {
      return Fail(ErrorCode::kUnreadable,
                  fmt::format("cannot use \"{}\": it has no words; a line is a word, a space or "
                              "tab, and the word that stands for it",
                              file_name_));
    }
    return builder_.Build();
  }

 private:
  struct Entry {
    uint64_t line;
    Symbols output;
  };

  tl::unexpected<Error> FaultAt(uint64_t line, std::string_view what) const {
    return Fail(ErrorCode::kUnreadable,
                fmt::format("cannot use \"{}\" line {}: {}", file_name_, line, what));
  }

  Status TakeLine(std::string_view line) {
    if (const size_t broken = FindInvalidUtf8(line); broken != line.size()) {
      return FaultAt(line_, fmt::format("invalid UTF-8 at byte {}; convert the file", broken));
    }
    if (IsComment(line)) return {};
    const std::vector<std::string_view> words = WordsOf(line);
    if (words.empty()) return {};
    if (words.size() != 2) {
      return FaultAt(line_, fmt::format("it has {} words, not two: a word and what stands for it",
                                        words.size()));
    }
    ZHIWEN_ASSIGN_OR_RETURN(const Symbols key, SymbolsOf(words[0]));
    ZHIWEN_ASSIGN_OR_RETURN(Symbols output, SymbolsOf(words[1]));
    const auto [entry, is_new] = entries_.try_emplace(key, Entry{line_, output});
    if (!is_new) {
      return FaultAt(line_, fmt::format("\"{}\" is on line {} already, perhaps written otherwise",
                                        words[0], entry->second.line));
    }
    builder_.Add(key, output);
    return {};
  }

  Result<Symbols> SymbolsOf(std::string_view word) const {
    Symbols symbols;
    FoldInto(word, symbols);
    if (symbols.empty()) {
      return FaultAt(line_,
                     fmt::format("\"{}\" is punctuation only, which no channel keeps", word));
    }
    if (symbols.size() > kMaxPhraseLength) {
      return FaultAt(line_, fmt::format("\"{}\" has {} units; {} are the most", word,
                                        symbols.size(), kMaxPhraseLength));
    }
    return symbols;
  }

  // What was put in is not looked at again, so that a → b and b → c would leave a and c different.
  Status RefuseChains() const {
    for (const auto& [key, entry] : entries_) {
      const auto next = entries_.find(entry.output);
      if (next == entries_.end() || next->second.output == entry.output) continue;
      return FaultAt(entry.line, fmt::format("what stands for the word is replaced itself on line "
                                             "{}; name there and here the same last word",
                                             next->second.line));
    }
    return {};
  }

  // What stands for a word stays as it is where a text says it, though it has a word in it: with
  // 网路 互联网 and 互联 连接, 互联网 stays.
  void KeepOutputs() {
    std::set<Symbols> outputs;
    for (const auto& [key, entry] : entries_) outputs.insert(entry.output);
    for (const Symbols& output : outputs) {
      if (!entries_.contains(output) && HasKeyInside(output)) builder_.Add(output, output);
    }
  }

  bool HasKeyInside(const Symbols& output) const {
    const std::span<const uint32_t> all(output);
    for (size_t at = 0; at < all.size(); ++at) {
      for (size_t size = 1; size <= all.size() - at; ++size) {
        const auto inside = all.subspan(at, size);
        if (entries_.contains(Symbols(inside.begin(), inside.end()))) return true;
      }
    }
    return false;
  }

  std::string_view file_name_;
  uint64_t line_ = 0;
  std::map<Symbols, Entry> entries_;
  PhraseTableBuilder builder_;
};

}  // namespace

Result<Channel> MakeVariantsChannel(std::string_view file_name, std::string_view content) {
  ZHIWEN_ASSIGN_OR_RETURN(Symbols read, VariantsReader(file_name).Read(content));
  const auto array = std::make_shared<const Symbols>(std::move(read));
  auto table = PhraseTable::Open(*array);
  if (!table) return Fail(table.error().code, table.error().message);
  const uint64_t hash = HashBytes64(BytesOfValues(std::span<const uint32_t>(*array)));
  return Channel(std::make_shared<PhraseView>(
      fmt::format("variants.v1(file={:016x})", hash),
      PhraseViewParts{*std::move(table), {}, &DisguiseCounts::variants, array}));
}

}  // namespace zhiwen
