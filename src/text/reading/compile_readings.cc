#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "text/fold.h"
#include "text/reading/readings.h"
#include "text/reading/syllable.h"

namespace zhiwen {
namespace {

// A phrase, folded, as a key that sorts as PhraseReadings asks: of one pair the longest first.
struct PhraseKey {
  std::vector<uint16_t> pair;
  size_t missing;  // characters to the longest
  std::vector<uint16_t> rest;

  friend auto operator<=>(const PhraseKey&, const PhraseKey&) = default;
};

using PhraseMap = std::map<PhraseKey, std::vector<uint16_t>>;

std::vector<uint32_t> Fold(std::string_view text) {
  std::vector<uint32_t> folded;
  FoldInto(text, folded);
  return folded;
}

// Characters in two tables: what folding leaves alone, and what it maps to another.
struct CharacterReadings {
  std::map<uint32_t, uint16_t> own, of_others;
};

Status ReadCharacters(const LanguageTable& table, CharacterReadings& readings) {
  return table.ForEachRow(2, [&](std::span<const std::string_view> row, const auto& fault) -> Status {
    const std::u32string character = DecodeWord(row[0]);
    const std::vector<uint32_t> folded = Fold(row[0]);
    if (character.size() != 1 || folded.size() != 1) return fault("not one character");
    const std::string_view spelling = row[1].substr(0, row[1].size() - 1);
    const uint32_t tone = row[1].empty() ? 0 : static_cast<uint32_t>(row[1].back() - '0');
    const auto syllable = ParseSyllable(spelling);
    if (!syllable || !IsPhonemes(*syllable << 3 | (tone & 7)) || tone > 7) {
      return fault("not a syllable and its tone");
    }
    const bool is_own = folded[0] == character[0];
    (is_own ? readings.own : readings.of_others)
        .emplace(folded[0], static_cast<uint16_t>(*syllable << 3 | tone));
    return {};
  });
}

void AddCharacters(const CharacterReadings& readings, SectionWriter& writer) {
  std::vector<uint16_t> plane0(0x10000);
  std::vector<uint32_t> beyond;
  std::vector<uint16_t> beyond_phonemes;
  auto all = readings.own;
  all.insert(readings.of_others.begin(), readings.of_others.end());
  for (const auto& [folded, phonemes] : all) {
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

// The syllables of "chong qing"; empty when one is none.
std::vector<uint16_t> ParseSyllables(std::string_view spellings) {
  std::vector<uint16_t> syllables;
  for (size_t at = 0; at <= spellings.size();) {
    const size_t end = std::min(spellings.find(' ', at), spellings.size());
    const auto syllable = ParseSyllable(spellings.substr(at, end - at));
    if (!syllable) return {};
    syllables.push_back(static_cast<uint16_t>(*syllable));
    at = end + 1;
  }
  return syllables;
}

// A phrase that folding leaves alone comes before one that it makes the same.
Status ReadPhrases(const LanguageTable& table, PhraseMap& phrases) {
  PhraseMap of_others;
  const auto take = [&](std::span<const std::string_view> row, const auto& fault) -> Status {
    const std::vector<uint32_t> folded = Fold(row[0]);
    const std::vector<uint16_t> syllables = ParseSyllables(row[1]);
    if (folded.size() < 2 || folded.size() > PhraseReadings::kMaxLength) {
      return fault("not a phrase of 2 to 16 characters");
    }
    if (syllables.size() != folded.size()) return fault("not a syllable for each character");
    if (std::ranges::max(folded) > 0xFFFF) return {};  // a few
    const std::vector<uint16_t> units(folded.begin(), folded.end());
    PhraseKey key = {.pair = {units[0], units[1]},
                     .missing = PhraseReadings::kMaxLength - units.size(),
                     .rest = {units.begin() + 2, units.end()}};
    const std::u32string source = DecodeWord(row[0]);
    const bool is_own = std::ranges::equal(source, folded);
    (is_own ? phrases : of_others).emplace(std::move(key), syllables);
    return {};
  };
  ZHIWEN_RETURN_IF_ERROR(table.ForEachRow(2, take));
  phrases.insert(of_others.begin(), of_others.end());
  return {};
}

void AddPhrases(const PhraseMap& phrases, SectionWriter& writer) {
  std::vector<uint32_t> starts = {0};
  std::vector<uint16_t> characters, all_syllables;
  for (const auto& [key, syllables] : phrases) {
    characters.insert(characters.end(), key.pair.begin(), key.pair.end());
    characters.insert(characters.end(), key.rest.begin(), key.rest.end());
    all_syllables.insert(all_syllables.end(), syllables.begin(), syllables.end());
    starts.push_back(static_cast<uint32_t>(characters.size()));
  }
  writer.AddValues<uint32_t>("reading.phrase_starts", starts);
  writer.AddValues<uint16_t>("reading.phrases", characters);
  writer.AddValues<uint16_t>("reading.phrase_syllables", all_syllables);
}

}  // namespace

Status CompileReadings(const LanguageTables& tables, SectionWriter& writer) {
  ZHIWEN_ASSIGN_OR_RETURN(const LanguageTable table, tables.Read("readings"));
  CharacterReadings readings;
  ZHIWEN_RETURN_IF_ERROR(ReadCharacters(table, readings));
  AddCharacters(readings, writer);
  ZHIWEN_ASSIGN_OR_RETURN(const LanguageTable phrase_table, tables.Read("phrase_readings"));
  PhraseMap phrases;
  ZHIWEN_RETURN_IF_ERROR(ReadPhrases(phrase_table, phrases));
  AddPhrases(phrases, writer);
  return {};
}

}  // namespace zhiwen
