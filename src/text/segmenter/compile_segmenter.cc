#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <optional>

#include "text/language/language_parts.h"
#include "text/segmenter/segmenter_data.h"

namespace zhiwen {
namespace {

using Row = std::span<const std::string_view>;
constexpr std::string_view kAbsent = "-";

std::optional<double> ParseProbability(std::string_view text) {
  return text == kAbsent ? kNeverProbability : ParseNumber<double>(text);
}

std::optional<uint32_t> ParseHan(std::string_view text) {
  const auto codes = CodesOfWord(text);
  if (!codes || codes->size() != 1 || codes->front() > kHanCodes) return std::nullopt;
  return codes->front() - 1;
}

std::optional<WordPosition> ParsePosition(std::string_view text) {
  constexpr std::string_view kLetters = "BEMS";
  const size_t index = text.size() == 1 ? kLetters.find(text[0]) : std::string_view::npos;
  if (index == std::string_view::npos) return std::nullopt;
  return static_cast<WordPosition>(index);
}

// Numbers names from 1, in the order of their first occurrence.
class TagNames {
 public:
  uint32_t Number(std::string_view name) {
    const auto [at, is_new] = numbers_.try_emplace(std::string(name), numbers_.size() + 1);
    if (is_new) lines_ += at->first + "\n";
    return static_cast<uint32_t>(at->second);
  }
  const std::string& lines() const { return lines_; }

 private:
  std::map<std::string, size_t> numbers_;
  std::string lines_;
};

struct Words {
  std::vector<WordTrie::Word> words;
  std::string other;  // lines of words with other characters
  std::vector<uint16_t> ranks;
};

// Returns the codes by the number of words that they continue, the most first. `words` have codes
// in place of ranks.
std::vector<uint16_t> RankCodes(std::span<const WordTrie::Word> words) {
  std::vector<uint32_t> uses(kLastWordCode + 1), order(kLastWordCode);
  for (const WordTrie::Word& word : words) {
    for (size_t i = 1; i < word.ranks.size(); ++i) ++uses[word.ranks[i]];
  }
  std::iota(order.begin(), order.end(), 1U);
  std::ranges::stable_sort(order, std::greater(), [&](uint32_t code) { return uses[code]; });
  std::vector<uint16_t> ranks(kLastWordCode + 1);
  for (size_t i = 0; i < order.size(); ++i) ranks[order[i]] = static_cast<uint16_t>(i + 1);
  return ranks;
}

Result<Words> ReadWords(const LanguageTables& tables, TagNames& tags) {
  ZHIWEN_ASSIGN_OR_RETURN(const LanguageTable table, tables.Read("segmenter_words"));
  Words read;
  const auto take = [&](Row row, const auto& fault) -> Status {
    const auto frequency = ParseNumber<uint32_t>(row[1]);
    if (row[0].empty() || !frequency) return fault("a word and its frequency are expected");
    const uint32_t tag = tags.Number(row[2]);
    if (tag > UINT8_MAX) return fault("there are too many tags");
    if (auto codes = CodesOfWord(row[0])) {
      // Codes, which ranks will replace.
      read.words.push_back({*std::move(codes), *frequency, tag});
    } else {
      read.other.append(row[0]).append("\t").append(row[1]).append("\n");
    }
    return {};
  };
  ZHIWEN_RETURN_IF_ERROR(table.ForEachRow(3, take));
  read.ranks = RankCodes(read.words);
  for (WordTrie::Word& word : read.words) {
    for (uint32_t& rank : word.ranks) rank = read.ranks[rank];
  }
  const auto less = [](const auto& a, const auto& b) { return a.ranks < b.ranks; };
  const auto equal = [](const auto& a, const auto& b) { return a.ranks == b.ranks; };
  std::ranges::sort(read.words, less);
  const auto same = std::ranges::unique(read.words, equal);
  read.words.erase(same.begin(), same.end());
  return read;
}

Status CompileWords(const LanguageTables& tables, TagNames& tags, SectionWriter& writer,
                    SegmenterHead& head) {
  ZHIWEN_ASSIGN_OR_RETURN(const Words read, ReadWords(tables, tags));
  ZHIWEN_ASSIGN_OR_RETURN(const LanguageTable total, tables.Read("segmenter_total"));
  const auto take = [&](Row row, const auto& fault) -> Status {
    const auto occurrences = ParseNumber<uint64_t>(row[0]);
    if (!occurrences) return fault("a number is expected");
    head.occurrences = *occurrences;
    return {};
  };
  ZHIWEN_RETURN_IF_ERROR(total.ForEachRow(1, take));
  WordTrie trie(read.ranks);
  trie.Build(read.words);
  head.depth = trie.view().depth;
  const std::vector<uint32_t> frequencies(trie.frequencies().begin(), trie.frequencies().end());
  const std::vector<uint8_t> word_tags(trie.tags().begin(), trie.tags().end());
  writer.AddValues("segmenter.words", trie.view().cells);
  writer.AddValues("segmenter.pairs", trie.view().pairs);
  writer.AddValues("segmenter.ranks", std::span<const uint16_t>(read.ranks));
  writer.AddValues("segmenter.frequencies", std::span<const uint32_t>(frequencies));
  writer.AddValues("segmenter.word_tags", std::span<const uint8_t>(word_tags));
  writer.Add("segmenter.other_words", read.other);
  return {};
}

Status CompileWordModel(const LanguageTables& tables, SectionWriter& writer) {
  ZHIWEN_ASSIGN_OR_RETURN(const LanguageTable start, tables.Read("segmenter_word_start"));
  ZHIWEN_ASSIGN_OR_RETURN(const LanguageTable moves, tables.Read("segmenter_word_moves"));
  ZHIWEN_ASSIGN_OR_RETURN(const LanguageTable emissions, tables.Read("segmenter_word_emissions"));
  WordModelTable model;
  model.start.fill(kNeverProbability);
  for (auto& row : model.moves) row.fill(kNeverProbability);
  std::vector<std::array<double, 4>> by_character(kHanCodes);
  for (auto& row : by_character) row.fill(kNeverProbability);
  const auto take_start = [&](Row row, const auto& fault) -> Status {
    const auto position = ParsePosition(row[0]);
    const auto value = ParseProbability(row[1]);
    if (!position || !value) return fault("a position and a number are expected");
    model.start[static_cast<size_t>(*position)] = *value;
    return {};
  };
  const auto take_move = [&](Row row, const auto& fault) -> Status {
    const auto from = ParsePosition(row[0]), to = ParsePosition(row[1]);
    const auto value = ParseProbability(row[2]);
    if (!from || !to || !value) return fault("two positions and a number are expected");
    model.moves[static_cast<size_t>(*to)][static_cast<size_t>(*from)] = *value;
    return {};
  };
  // The columns are B, E, M and S.
  const auto take_emission = [&](Row row, const auto& fault) -> Status {
    const auto han = ParseHan(row[0]);
    if (!han) return fault("a Han character is expected");
    for (size_t i = 0; i < 4; ++i) {
      const auto value = ParseProbability(row[1 + i]);
      if (!value) return fault("a number is expected");
      by_character[*han][i] = *value;
    }
    return {};
  };
  ZHIWEN_RETURN_IF_ERROR(start.ForEachRow(2, take_start));
  ZHIWEN_RETURN_IF_ERROR(moves.ForEachRow(3, take_move));
  ZHIWEN_RETURN_IF_ERROR(emissions.ForEachRow(5, take_emission));
  writer.Add("segmenter.model", BytesOfValue(model));
  writer.AddValues("segmenter.model_emissions",
                   std::span<const std::array<double, 4>>(by_character));
  return {};
}

// The states of the tag model, numbered by position and tag.
class TagStates {
 public:
  Status Read(const LanguageTables& tables, TagNames& tags) {
    ZHIWEN_ASSIGN_OR_RETURN(const LanguageTable table, tables.Read("segmenter_tag_states"));
    const auto take = [&](Row row, const auto& fault) -> Status {
      const auto position = ParsePosition(row[0]);
      const auto start = ParseProbability(row[2]);
      if (!position || !start) return fault("a position, a tag and a number are expected");
      numbers_.emplace(NameOf(row), states_.size());
      states_.push_back({.start = *start, .tag = tags.Number(row[1]), .position = *position});
      return {};
    };
    return table.ForEachRow(3, take);
  }

  // Returns the state that two fields name.
  std::optional<uint32_t> Find(Row fields) const {
    const auto at = numbers_.find(NameOf(fields));
    if (at == numbers_.end()) return std::nullopt;
    return static_cast<uint32_t>(at->second);
  }
  const std::vector<TagState>& states() const { return states_; }

 private:
  static std::string NameOf(Row fields) {
    return std::string(fields[0]) + "\t" + std::string(fields[1]);
  }

  std::map<std::string, size_t> numbers_;
  std::vector<TagState> states_;
};

// Concatenates rows of values. `begins` holds where each row begins, and the end.
template <typename Value>
class RowsOfValues {
 public:
  explicit RowsOfValues(size_t rows) : rows_(rows) {}
  void Add(size_t row, const Value& value) { rows_[row].push_back(value); }
  template <typename Key>
  void Write(SectionWriter& writer, const std::string& name, Key key) {
    std::vector<uint32_t> begins = {0};
    std::vector<Value> values;
    for (std::vector<Value>& row : rows_) {
      std::ranges::sort(row, {}, key);
      values.insert(values.end(), row.begin(), row.end());
      begins.push_back(static_cast<uint32_t>(values.size()));
    }
    writer.AddValues(name + "_begins", std::span<const uint32_t>(begins));
    writer.AddValues(name + "s", std::span<const Value>(values));
  }

 private:
  std::vector<std::vector<Value>> rows_;
};

Status CompileTagModel(const LanguageTables& tables, const TagStates& states,
                       SectionWriter& writer) {
  ZHIWEN_ASSIGN_OR_RETURN(const LanguageTable moves, tables.Read("segmenter_tag_moves"));
  ZHIWEN_ASSIGN_OR_RETURN(const LanguageTable emissions, tables.Read("segmenter_tag_emissions"));
  RowsOfValues<TagMove> by_target(states.states().size());
  RowsOfValues<TagEmission> by_character(kHanCodes);
  const auto take_move = [&](Row row, const auto& fault) -> Status {
    const auto to = states.Find(row.first(2)), from = states.Find(row.subspan(2, 2));
    const auto value = ParseProbability(row[4]);
    if (!to || !from || !value) return fault("two states and a number are expected");
    by_target.Add(*to, {.probability = *value, .from = *from});
    return {};
  };
  const auto take_emission = [&](Row row, const auto& fault) -> Status {
    const auto han = ParseHan(row[0]);
    const auto state = states.Find(row.subspan(1, 2));
    const auto value = ParseProbability(row[3]);
    if (!han || !state || !value) return fault("a Han character, a state, a number are expected");
    by_character.Add(*han, {*value, *state, row[4].empty() ? 0U : 1U});
    return {};
  };
  ZHIWEN_RETURN_IF_ERROR(moves.ForEachRow(5, take_move));
  ZHIWEN_RETURN_IF_ERROR(emissions.ForEachRow(5, take_emission));
  writer.AddValues("segmenter.tag_states", std::span<const TagState>(states.states()));
  by_target.Write(writer, "segmenter.tag_move", &TagMove::from);
  by_character.Write(writer, "segmenter.tag_emission", &TagEmission::state);
  return {};
}

}  // namespace

Status CompileSegmenter(const LanguageTables& tables, SectionWriter& writer) {
  TagNames tags;
  TagStates states;
  SegmenterHead head;
  ZHIWEN_RETURN_IF_ERROR(CompileWords(tables, tags, writer, head));
  ZHIWEN_RETURN_IF_ERROR(states.Read(tables, tags));
  head.tag_states = static_cast<uint32_t>(states.states().size());
  writer.Add("segmenter.head", BytesOfValue(head));
  writer.Add("segmenter.tags", tags.lines());
  ZHIWEN_RETURN_IF_ERROR(CompileWordModel(tables, writer));
  return CompileTagModel(tables, states, writer);
}

}  // namespace zhiwen
