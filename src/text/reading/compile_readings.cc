// Compiles the sections reading.* of language data from the tables readings and phrase_readings
// (tools/language/reading_tables.py), and from the words of the segmenter.
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "text/fold.h"
#include "text/language/language_parts.h"
#include "text/phrase/phrase_table.h"
#include "text/reading/syllable.h"

namespace zhiwen {
namespace {

// Phonemes by folded character. A character that folding keeps takes precedence over others that
// fold to it.
using CharacterReadings = std::map<uint32_t, uint16_t>;

Result<CharacterReadings> ReadCharacters(const LanguageTable& table) {
  CharacterReadings readings, of_others;
  const auto take = [&](std::span<const std::string_view> row, const auto& fault) -> Status {
    const std::u32string character = DecodeWord(row[0]);
    const std::vector<uint32_t> folded = BaseFoldedSymbolsOf(row[0]);
    if (character.size() != 1 || folded.size() != 1) return fault("not one character");
    const std::string_view spelling = row[1].substr(0, row[1].size() - 1);
    const uint32_t tone = row[1].empty() ? 0 : static_cast<uint32_t>(row[1].back() - '0');
    const auto syllable = ParseSyllable(spelling);
    if (!syllable || !IsPhonemes(*syllable << 3 | (tone & 7)) || tone > 7) {
      return fault("not a syllable and its tone");
    }
    const bool is_own = folded[0] == character[0];
    (is_own ? readings : of_others)
        .emplace(folded[0], static_cast<uint16_t>(*syllable << 3 | tone));
    return {};
  };
  ZHIWEN_RETURN_IF_ERROR(table.ForEachRow(2, take));
  readings.insert(of_others.begin(), of_others.end());
  return readings;
}

void AddCharacters(const CharacterReadings& readings, SectionWriter& writer) {
  std::vector<uint16_t> plane0(0x10000);
  std::vector<uint32_t> beyond;
  std::vector<uint16_t> beyond_phonemes;
  for (const auto& [folded, phonemes] : readings) {
    if (folded < plane0.size()) {
      plane0[folded] = phonemes;
    } else {
      beyond.push_back(folded);
      beyond_phonemes.push_back(phonemes);
    }
  }
  writer.AddValues<uint16_t>("reading.plane0", plane0);
  writer.AddValues<uint32_t>("reading.beyond", beyond);
  writer.AddValues<uint16_t>("reading.beyond_phonemes", beyond_phonemes);
}

// Counts each initial, final and tone in the words, weighted by the frequencies of the words.
Result<std::vector<uint64_t>> CountPhonemes(const LanguageTable& words,
                                            const CharacterReadings& readings) {
  std::vector<uint64_t> counts(kPhonemeCount);
  const auto take = [&](std::span<const std::string_view> row, const auto& fault) -> Status {
    const auto frequency = ParseNumber<uint32_t>(row[1]);
    if (!frequency) return fault("a word and its frequency are expected");
    for (const uint32_t symbol : BaseFoldedSymbolsOf(row[0])) {
      const auto reading = readings.find(symbol);
      if (reading == readings.end()) continue;
      const uint32_t syllable = SyllableOf(reading->second);
      counts[InitialOf(syllable) - 1] += *frequency;
      counts[kInitialCount + FinalOf(syllable) - 1] += *frequency;
      counts[kInitialCount + kFinalCount + ToneOf(reading->second) - 1] += *frequency;
    }
    return {};
  };
  ZHIWEN_RETURN_IF_ERROR(words.ForEachRow(3, take));
  return counts;
}

// Returns the syllables of "chong qing", or nothing when one of them is not a syllable.
std::vector<uint32_t> ParseSyllables(std::string_view spellings) {
  std::vector<uint32_t> syllables;
  for (size_t at = 0; at <= spellings.size();) {
    const size_t end = std::min(spellings.find(' ', at), spellings.size());
    const auto syllable = ParseSyllable(spellings.substr(at, end - at));
    if (!syllable) return {};
    syllables.push_back(*syllable);
    at = end + 1;
  }
  return syllables;
}

// A phrase that folding keeps takes precedence over others that fold to it.
Status ReadPhrases(const LanguageTable& table, PhraseTableBuilder& phrases) {
  std::vector<std::pair<std::vector<uint32_t>, std::vector<uint32_t>>> of_others;
  const auto take = [&](std::span<const std::string_view> row, const auto& fault) -> Status {
    std::vector<uint32_t> folded = BaseFoldedSymbolsOf(row[0]);
    std::vector<uint32_t> syllables = ParseSyllables(row[1]);
    if (syllables.size() != folded.size()) return fault("not a syllable for each character");
    if (!std::ranges::equal(DecodeWord(row[0]), folded)) {
      of_others.emplace_back(std::move(folded), std::move(syllables));
    } else if (phrases.Add(folded, syllables) == PhraseTableBuilder::Added::kLength) {
      return fault("a phrase of too many characters");
    }
    return {};
  };
  ZHIWEN_RETURN_IF_ERROR(table.ForEachRow(2, take));
  for (const auto& [folded, syllables] : of_others) phrases.Add(folded, syllables);
  return {};
}

}  // namespace

Status CompileReadings(const LanguageTables& tables, SectionWriter& writer) {
  ZHIWEN_ASSIGN_OR_RETURN(const LanguageTable table, tables.Read("readings"));
  ZHIWEN_ASSIGN_OR_RETURN(const CharacterReadings readings, ReadCharacters(table));
  AddCharacters(readings, writer);
  ZHIWEN_ASSIGN_OR_RETURN(const LanguageTable phrase_table, tables.Read("phrase_readings"));
  PhraseTableBuilder phrases;
  ZHIWEN_RETURN_IF_ERROR(ReadPhrases(phrase_table, phrases));
  writer.AddValues<uint32_t>("reading.phrases", phrases.Build());
  ZHIWEN_ASSIGN_OR_RETURN(const LanguageTable words, tables.Read("segmenter_words"));
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<uint64_t> counts, CountPhonemes(words, readings));
  writer.AddValues<uint64_t>("reading.frequencies", counts);
  return {};
}

}  // namespace zhiwen
