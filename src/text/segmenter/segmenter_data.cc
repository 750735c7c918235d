#include "text/segmenter/segmenter_data.h"

#include <algorithm>

#include "base/utf8/utf8.h"

namespace zhiwen {
namespace {

template <typename Value>
Result<Value> ReadOne(const SectionFile& sections, std::string_view name) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::span<const Value> values, sections.Values<Value>(name));
  if (values.size() != 1) return sections.Damaged(name, "another size");
  return values.front();
}

// Returns whether sums of as many logarithms as a text has characters are still finite.
bool IsProbability(double logarithm) { return logarithm >= kNeverProbability && logarithm <= 0; }

template <size_t kSize>
bool AreProbabilities(const std::array<double, kSize>& row) {
  return std::ranges::all_of(row, IsProbability);
}

// Returns whether every code has its own rank, and code 0 has rank 0.
bool AreRanks(std::span<const uint16_t> ranks) {
  if (ranks.empty() || ranks.front() != 0) return false;
  std::vector<bool> is_given(ranks.size());
  for (const uint16_t rank : ranks) {
    if (rank >= ranks.size() || is_given[rank]) return false;
    is_given[rank] = true;
  }
  return true;
}

// Returns whether `begins` are `rows` + 1 ascending indexes into `count` values, from the first to
// the end.
bool AreBegins(std::span<const uint32_t> begins, size_t rows, size_t count) {
  return begins.size() == rows + 1 && std::ranges::is_sorted(begins) && begins.front() == 0 &&
         begins.back() == count;
}

std::vector<std::string_view> SplitLines(std::string_view text) {
  std::vector<std::string_view> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

}  // namespace

Status SegmenterData::OpenWords(const SectionFile& sections) {
  ZHIWEN_ASSIGN_OR_RETURN(head, ReadOne<SegmenterHead>(sections, "segmenter.head"));
  ZHIWEN_ASSIGN_OR_RETURN(trie.cells, sections.Values<TrieCell>("segmenter.words"));
  ZHIWEN_ASSIGN_OR_RETURN(trie.ranks, sections.Values<uint16_t>("segmenter.ranks"));
  ZHIWEN_ASSIGN_OR_RETURN(frequencies, sections.Values<uint32_t>("segmenter.frequencies"));
  if (frequencies.empty() || frequencies.front() != 0) {
    return sections.Damaged("segmenter.frequencies", "the first is not 0");
  }
  logs = LogsOf(frequencies);
  trie.logs = logs;
  ZHIWEN_ASSIGN_OR_RETURN(trie.pairs, sections.Values<uint64_t>("segmenter.pairs"));
  trie.depth = head.depth;
  if (!AreRanks(trie.ranks)) return sections.Damaged("segmenter.ranks", "not a rank for each code");
  if (!trie.IsSound()) return sections.Damaged("segmenter.words", "cells that do not fit together");
  ZHIWEN_ASSIGN_OR_RETURN(word_tags, sections.Values<uint8_t>("segmenter.word_tags"));
  ZHIWEN_ASSIGN_OR_RETURN(const std::string_view names, sections.Bytes("segmenter.tags"));
  tags = SplitLines(names);
  tags.insert(tags.begin(), std::string_view());
  if (word_tags.size() != trie.cells.size()) {
    return sections.Damaged("segmenter.words", "parts of different sizes");
  }
  if (std::ranges::any_of(word_tags, [&](uint8_t tag) { return tag >= tags.size(); })) {
    return sections.Damaged("segmenter.word_tags", "a tag without a name");
  }
  // Sums of user dictionaries must not wrap around.
  if (head.occurrences == 0 || head.occurrences > INT64_MAX) {
    return sections.Damaged("segmenter.head", "a number that cannot be");
  }
  ZHIWEN_ASSIGN_OR_RETURN(other_words, sections.Bytes("segmenter.other_words"));
  const auto is_word = [](std::string_view line) {
    return !line.empty() && line.front() != '\t' && line.size() <= kMostWordCharacters &&
           FindInvalidUtf8(line) == line.size();
  };
  if (!std::ranges::all_of(SplitLines(other_words), is_word)) {
    return sections.Damaged("segmenter.other_words", "a line that is no word");
  }
  return {};
}

Status SegmenterData::OpenModels(const SectionFile& sections) {
  ZHIWEN_ASSIGN_OR_RETURN(word_model, ReadOne<WordModelTable>(sections, "segmenter.model"));
  ZHIWEN_ASSIGN_OR_RETURN(word_emissions,
                          (sections.Values<std::array<double, 4>>("segmenter.model_emissions")));
  ZHIWEN_ASSIGN_OR_RETURN(tag_states, sections.Values<TagState>("segmenter.tag_states"));
  ZHIWEN_ASSIGN_OR_RETURN(tag_move_begins, sections.Values<uint32_t>("segmenter.tag_move_begins"));
  ZHIWEN_ASSIGN_OR_RETURN(tag_moves, sections.Values<TagMove>("segmenter.tag_moves"));
  ZHIWEN_ASSIGN_OR_RETURN(tag_emission_begins,
                          sections.Values<uint32_t>("segmenter.tag_emission_begins"));
  ZHIWEN_ASSIGN_OR_RETURN(tag_emissions, sections.Values<TagEmission>("segmenter.tag_emissions"));
  const auto is_state = [&](uint32_t state) { return state < tag_states.size(); };
  const auto is_known = [&](const TagState& state) {
    return state.tag < tags.size() && state.position <= WordPosition::kSingle;
  };
  const bool are_numbers =
      AreProbabilities(word_model.start) &&
      std::ranges::all_of(word_model.moves, AreProbabilities<4>) &&
      std::ranges::all_of(word_emissions, AreProbabilities<4>) &&
      std::ranges::all_of(tag_states, IsProbability, &TagState::start) &&
      std::ranges::all_of(tag_moves, IsProbability, &TagMove::probability) &&
      std::ranges::all_of(tag_emissions, IsProbability, &TagEmission::probability);
  if (!are_numbers) return sections.Damaged("segmenter.model", "a number that is no probability");
  const bool sound = word_emissions.size() == kHanCodes && !tag_states.empty() &&
                     tag_states.size() == head.tag_states && tag_states.size() <= kMostTagStates &&
                     std::ranges::all_of(tag_states, is_known) &&
                     AreBegins(tag_move_begins, tag_states.size(), tag_moves.size()) &&
                     std::ranges::all_of(tag_moves, is_state, &TagMove::from) &&
                     AreBegins(tag_emission_begins, kHanCodes, tag_emissions.size()) &&
                     std::ranges::all_of(tag_emissions, is_state, &TagEmission::state);
  if (!sound) return sections.Damaged("segmenter.tag_states", "models that do not fit together");
  return {};
}

Result<SegmenterData> SegmenterData::Open(const SectionFile& sections) {
  SegmenterData data;
  ZHIWEN_RETURN_IF_ERROR(data.OpenWords(sections));
  ZHIWEN_RETURN_IF_ERROR(data.OpenModels(sections));
  return data;
}

}  // namespace zhiwen
