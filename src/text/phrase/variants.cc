// Reads the file of --variants: a user's words, and the replacement of each (zhiwen/channel.h,
// docs/formats/channels.md).
#include <fmt/format.h>

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/files/user_lines.h"
#include "base/hash.h"
#include "base/value_bytes.h"
#include "text/explain.h"
#include "text/fold.h"
#include "text/phrase/phrase_view.h"
#include "text/phrase/stops.h"
#include "text/unit_hash.h"
#include "text/unit_name.h"

namespace zhiwen {
namespace {

using Symbols = std::vector<uint32_t>;

class VariantsReader {
 public:
  explicit VariantsReader(const UserFile& file) : file_(file) {}

  // Reads the file into the array of a PhraseTable.
  Result<Symbols> Read() {
    ZHIWEN_RETURN_IF_ERROR(ForEachUserLine(
        file_, UserComments::kHash, [this](const UserLine& line) { return TakeLine(line); }));
    ZHIWEN_RETURN_IF_ERROR(RefuseChains());
    KeepOutputs();
    if (builder_.size() == 0) {
      return Fail(ErrorCode::kUnreadable,
                  fmt::format("cannot use \"{}\": it has no words; a line is a word, a space or "
                              "tab, and the word that stands for it",
                              file_.name));
    }
    return builder_.Build();
  }

  // Returns the names of replacement units that have several characters.
  std::map<uint32_t, std::string> TakeNames() { return std::move(names_); }

 private:
  struct Entry {
    uint64_t line;
    Symbols output;
  };

  Status TakeLine(const UserLine& line) {
    const std::vector<std::string_view> words = SplitAtBlanks(line.text);
    if (words.size() != 2) {
      return line.Fault(fmt::format("number of words: {}; write two, a word and what stands for it",
                                    words.size()));
    }
    ZHIWEN_ASSIGN_OR_RETURN(const Symbols key, SymbolsOf(line, words[0]));
    ZHIWEN_ASSIGN_OR_RETURN(Symbols output, SymbolsOf(line, words[1]));
    const auto [entry, is_new] = entries_.try_emplace(key, Entry{line.number, output});
    if (!is_new) {
      return line.Fault(
          fmt::format("\"{}\" is on line {} already, perhaps written otherwise; keep one of them",
                      words[0], entry->second.line));
    }
    builder_.Add(key, output);
    AddNames(words[1]);
    return {};
  }

  void AddNames(std::string_view word) {
    const SpannedSymbols units = ExplainFolded(word, BaseFoldTable());
    for (size_t i = 0; i < units.symbols.size(); ++i) {
      const ByteSpan span = units.spans[i];
      std::string name =
          NameOfUnit(units.symbols[i], word.substr(span.begin.value, span.size()), BaseFoldTable());
      if (IsHashedUnit(units.symbols[i])) names_.emplace(units.symbols[i], std::move(name));
    }
  }

  static Result<Symbols> SymbolsOf(const UserLine& line, std::string_view word) {
    Symbols symbols = BaseFoldedSymbolsOf(word);
    if (symbols.empty()) {
      return line.Fault(
          fmt::format("\"{}\" is punctuation only, which the channel drops; take it out", word));
    }
    if (IsPartedByStop(word)) {
      return line.Fault(fmt::format(
          "\"{}\" has a mark of sentences or clauses inside, which no word goes beyond; write it "
          "without the mark",
          word));
    }
    if (symbols.size() > kMaxPhraseLength) {
      return line.Fault(fmt::format("\"{}\" has {} units, at most {}; write a shorter word", word,
                                    symbols.size(), kMaxPhraseLength));
    }
    return symbols;
  }

  // Refuses chains. Inserted symbols are not examined again, so a → b and b → c would leave a and c
  // different.
  Status RefuseChains() const {
    for (const auto& [key, entry] : entries_) {
      const auto next = entries_.find(entry.output);
      if (next == entries_.end() || next->second.output == entry.output) continue;
      return UserLine{.file = file_.name, .number = entry.line, .text = {}}.Fault(
          fmt::format("what stands for the word is replaced itself on line {}; name there and here "
                      "the same last word",
                      next->second.line));
    }
    return {};
  }

  // Adds each replacement that contains a word as a phrase for itself, so that it stays unchanged
  // in a text: with 网路 互联网 and 互联 连接, 互联网 stays.
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

  const UserFile& file_;
  std::map<Symbols, Entry> entries_;
  PhraseTableBuilder builder_;
  std::map<uint32_t, std::string> names_;
};

}  // namespace

Result<Channel> MakeVariantsChannel(const UserFile& file) {
  VariantsReader reader(file);
  ZHIWEN_ASSIGN_OR_RETURN(Symbols read, reader.Read());
  const auto array = std::make_shared<const Symbols>(std::move(read));
  auto table = PhraseTable::Open(*array);
  if (!table) {
    return Fail(table.error().code,
                fmt::format("cannot use \"{}\": it is {}; leave out words that no text has",
                            file.name, table.error().message));
  }
  const uint64_t hash = HashBytes64(BytesOfValues(std::span<const uint32_t>(*array)));
  return Channel(std::make_shared<PhraseView>(
      fmt::format("variants.v1(file={:016x})", hash),
      PhraseViewParts{
          *std::move(table), {}, &DisguiseCounts::variants, array, reader.TakeNames()}));
}

}  // namespace zhiwen
