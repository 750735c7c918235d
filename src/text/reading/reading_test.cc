// Tests the reading channels against their definition: examples, published vectors, a slow second
// implementation, and forged data.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unicode/normalizer2.h>
#include <unicode/unistr.h>

#include <map>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "support/in_memory_file_system.h"
#include "support/language.h"
#include "support/published_vectors.h"
#include "text/channel_view.h"
#include "text/fold_oracle_test_support.h"
#include "text/language/language_parts.h"
#include "text/reading/reading_units.h"
#include "text/reading/readings.h"
#include "text/reading/syllable.h"
#include "zhiwen/channel.h"

namespace zhiwen {
namespace {

using testing::HasSubstr;
using Symbols = std::vector<uint32_t>;
using Words = std::vector<std::string>;

Channel Open(const std::string& name) {
  const auto channel = OpenChannel(name, TestLanguage());
  EXPECT_TRUE(channel) << channel.error().message;
  return *channel;
}

Symbols Fast(const Channel& channel, std::string_view text) {
  Symbols symbols;
  channel.view().ComputeInto(text, symbols);
  return symbols;
}

// Returns the names of the symbols, each followed by a space.
std::string Read(const Channel& channel, std::string_view text) {
  std::string names;
  for (const uint32_t symbol : Fast(channel, text)) names += channel.view().Name(symbol) + " ";
  return names;
}

TEST(ReadingTest, SymbolsHaveNames) {
  const struct {
    const char *channel, *text, *names;
  } kCases[] = {
      {"pinyin", "中國、人", "zhong guo ren "},
      {"pinyin", "zhongguo Zhōngguó Zho\u0304ng guo\u0301 zhong1guo2 ｚｈｏｎｇ",
       "zhong guo zhong guo zhong guo zhong guo zhong "},
      {"pinyin", "女旅略 nü nv lǜ lüe lue lve nu", "nü lü lüe nü nü lü lüe lüe lüe nu "},
      {"pinyin", "xian xīān henan fangan", "xian xi an he nan fan gan "},
      {"pinyin", "zhong6 strong zhongx a e o r2d2 é ni\u0323", ""},
      {"pinyin", "zh\u043eng \u0445iаn", "zhong xian "},  // look-alike letters of Cyrillic
      {"pinyin", "嗯，the こと 한국 123 😀\n", ""},
      {"pinyin", "银行行走", "yin xing xing zou "},
      {"pinyin(reading=phrase)", "銀行行走，重庆。重 庆",
       "yin hang xing zou chong qing zhong qing "},
      {"pinyin(reading=phrase)", "重\n庆 重\u200b庆 重mei庆",
       "zhong qing zhong qing zhong mei qing "},
      {"initials", "中国zg 二 zhongguo Z", "z g z g e z g z "},
      {"initials", "the why 3d zg1 T恤", "w h y t x "},
      {"phonemes", "中元而女月", "zh-ong-1 y-uan-2 ∅-er-2 n-ü-3 y-ue-4 "},
      {"phonemes", "zhongguo 呢", "n-e-5 "},
  };
  for (const auto& [channel, text, names] : kCases) {
    EXPECT_EQ(Read(Open(channel), text), names) << channel << " " << text;
  }
}

TEST(ReadingTest, ALongRunSpellsNothing) {
  const Channel pinyin = Open("pinyin");
  std::string run;
  for (int i = 0; i < 32; ++i) run += "ni";
  EXPECT_EQ(Fast(pinyin, run).size(), 32U);
  EXPECT_TRUE(Fast(pinyin, "a" + run).empty());
  EXPECT_TRUE(Fast(pinyin, std::string(1000000, 'a')).empty());
}

TEST(ReadingTest, ASpanIsOfTheLettersOfASyllable) {
  const auto read = ComputeSymbols(Open("pinyin"), "去zhōnx Xi'an, zhōngguo2玩 ABC");
  ASSERT_TRUE(read);
  const std::vector<ByteSpan> expected = {{{0}, {3}},   {{10}, {12}}, {{13}, {15}},
                                          {{17}, {23}}, {{23}, {27}}, {{27}, {30}}};
  EXPECT_EQ(read->spans, expected);
  EXPECT_EQ(read->disguise.spelled, 3U);
  EXPECT_EQ(read->disguise.letter_case, 4U);
}

TEST(ReadingTest, CharactersWithoutAReadingAreCounted) {
  for (const char* channel : {"pinyin", "initials", "phonemes"}) {
    const auto read = ComputeSymbols(Open(channel), "嗯，呣噷你か★");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->symbols.size(), 1U) << channel;
    EXPECT_EQ(read->disguise.unread, 3U) << channel;
  }
}

// ---- The second implementation: of names, not symbols. ----

struct Oracle {
  std::map<uint32_t, std::string> readings;  // with tones, by character: "zhong4"
  std::map<std::string, bool> syllables;     // by the letters of a run, with v for ü
  std::map<Symbols, Symbols> phrases;

  static std::string WithV(std::string syllable) {
    if (const size_t at = syllable.find("ü"); at != std::string::npos) {
      syllable.erase(at, 1);
      syllable[at] = 'v';
    }
    return syllable;
  }

  Oracle() {
    const SectionFile& sections = TestLanguage()->sections();
    const auto plane0 = *sections.Values<uint16_t>("reading.plane0");
    const auto beyond = *sections.Values<uint32_t>("reading.beyond");
    const auto of_beyond = *sections.Values<uint16_t>("reading.beyond_phonemes");
    const auto add = [&](uint32_t c, uint32_t phonemes) {
      if (phonemes == 0) return;
      const std::string name = SyllableName(phonemes >> 3);
      readings[c] = name + std::to_string(phonemes & 7);
      syllables[WithV(name)] = true;
      if (name == "lüe" || name == "nüe") syllables[name.substr(0, 1) + "ue"] = true;
    };
    for (uint32_t c = 0; c < plane0.size(); ++c) add(c, plane0[c]);
    for (size_t i = 0; i < beyond.size(); ++i) add(beyond[i], of_beyond[i]);
    const auto table = *PhraseTable::Open(*sections.Values<uint32_t>("reading.phrases"));
    table.ForEach([&](std::span<const uint32_t> key, std::span<const uint32_t> output) {
      phrases[{key.begin(), key.end()}] = {output.begin(), output.end()};
    });
  }
};

const Oracle& TheOracle() {
  static const Oracle oracle;
  return oracle;
}

struct Letter {
  char letter;
  bool toned;
};

// Returns the letters of a run, found with ICU, or nothing when it has other characters.
std::optional<std::vector<Letter>> LettersByIcu(std::string_view utf8) {
  UErrorCode status = U_ZERO_ERROR;
  const auto* nfd = icu::Normalizer2::getNFDInstance(status);
  const auto* folder = icu::Normalizer2::getNFKCCasefoldInstance(status);
  const auto text = icu::UnicodeString::fromUTF8(
      icu::StringPiece(utf8.data(), static_cast<int32_t>(utf8.size())));
  const icu::UnicodeString parts = nfd->normalize(folder->normalize(text, status), status);
  std::vector<Letter> letters;
  for (int32_t i = 0; i < parts.length(); ++i) {
    const char16_t c = parts[i];
    const bool is_vowel = !letters.empty() && !letters.back().toned &&
                          std::string("aeiouv").find(letters.back().letter) != std::string::npos;
    if ((c >= 'a' && c <= 'z') || (c >= '1' && c <= '5')) {
      letters.push_back({static_cast<char>(c), false});
    } else if (c == 0x308 && is_vowel && letters.back().letter == 'u') {
      letters.back().letter = 'v';
    } else if (is_vowel && (c == 0x300 || c == 0x301 || c == 0x304 || c == 0x30C)) {
      letters.back().toned = true;
    } else {
      return std::nullopt;
    }
  }
  if (letters.size() > 64) return std::nullopt;
  return letters;
}

// Finds every way to cut the letters from `at` on.
void CutAll(const std::vector<Letter>& letters, size_t at, Words& way, std::vector<Words>& ways) {
  if (at == letters.size()) ways.push_back(way);
  std::string syllable;
  int tones = 0;
  for (size_t end = at; end < letters.size() && syllable.size() < 6; ++end) {
    syllable += letters[end].letter;
    tones += letters[end].toned ? 1 : 0;
    if (syllable.size() < 2 || tones > 1 || !TheOracle().syllables.contains(syllable)) continue;
    size_t next = end + 1;
    if (next < letters.size() && letters[next].letter < 'a') ++next;
    way.push_back(syllable);
    CutAll(letters, next, way, ways);
    way.pop_back();
  }
}

Words CutByOracle(const std::vector<Letter>& letters) {
  std::vector<Words> ways;
  Words way;
  CutAll(letters, 0, way, ways);
  const auto rank = [](const Words& syllables) {
    std::vector<int> values = {static_cast<int>(syllables.size()), 0};
    for (size_t i = 0; i < syllables.size(); ++i) {
      values[1] += i > 0 && std::string("aeo").find(syllables[i][0]) != std::string::npos ? 1 : 0;
      values.push_back(-static_cast<int>(syllables[i].size()));
    }
    return values;
  };
  return ways.empty() ? Words() : std::ranges::min(ways, {}, rank);
}

// Returns the names of the symbols of a run.
Words ReadRunByOracle(std::string_view kind, uint32_t folded, std::string_view bytes) {
  const auto letters = LettersByIcu(bytes);
  if (kind == "phonemes") return {};
  Words names;
  if (folded >= 0x80 && letters) names = CutByOracle(*letters);
  if (kind == "pinyin") {
    for (std::string& name : names) {
      if (name == "nv" || name == "lv") name = name.substr(0, 1) + "ü";
      if (name.size() == 3 && (name.ends_with("ve") || name == "nue" || name == "lue")) {
        name = name.substr(0, 1) + "üe";
      }
    }
    return names;
  }
  for (std::string& name : names) name.resize(1);
  if (!names.empty() || !letters) return names;
  for (const auto& [letter, toned] : *letters) {
    if (std::string("bcdfghjklmnpqrstwxyz").find(letter) == std::string::npos) return {};
    names.push_back(std::string(1, letter));
  }
  return names;
}

std::string NameByOracle(std::string_view kind, const std::string& reading) {
  const std::string syllable = reading.substr(0, reading.size() - 1);
  if (kind == "pinyin") return syllable;
  if (kind == "initials") return syllable.substr(0, 1);
  size_t initial = std::min(syllable.find_first_not_of("bpmfdtnlgkhjqxzcsryw"), syllable.size());
  std::string final = syllable.substr(initial);
  if (final == "üe") final = "ue";
  return (initial == 0 ? "∅" : syllable.substr(0, initial)) + "-" + final + "-" + reading.back();
}

Words ReadByOracle(std::string_view kind, bool with_phrases, std::string_view text) {
  const SpannedSymbols folded = FoldedV2Channel().view().Explain(text);
  Words names;
  for (size_t i = 0; i < folded.symbols.size(); ++i) {
    const uint32_t symbol = folded.symbols[i];
    const ByteSpan span = folded.spans[i];
    if (symbol < 0x80 || symbol >= 0x80000000) {
      for (const std::string& name :
           ReadRunByOracle(kind, symbol, text.substr(span.begin.value, span.size()))) {
        names.push_back(name);
      }
      continue;
    }
    const auto reading = TheOracle().readings.find(symbol);
    if (reading == TheOracle().readings.end()) continue;
    // Finds the longest phrase of adjacent characters that starts here.
    Symbols phrase = {symbol}, syllables;
    size_t longest = 0;
    for (size_t j = i + 1; with_phrases && j < folded.symbols.size() && j < i + 32; ++j) {
      if (folded.spans[j].begin != folded.spans[j - 1].end) break;
      phrase.push_back(folded.symbols[j]);
      if (const auto at = TheOracle().phrases.find(phrase); at != TheOracle().phrases.end()) {
        longest = phrase.size();
        syllables = at->second;
      }
    }
    for (const uint32_t syllable : syllables) names.push_back(SyllableName(syllable));
    if (longest > 0) i += longest - 1;
    if (longest == 0) names.push_back(NameByOracle(kind, reading->second));
  }
  return names;
}

constexpr const char* kChannels[] = {"pinyin", "pinyin(reading=phrase)", "initials", "phonemes"};

std::string RandomText(std::mt19937& random) {
  constexpr const char* kParts[] = {
      "银行", "行走", "重庆",     "長大", "不得了", "了解",   "嗯",     "著",     "乾", "〇",  "𠮾",
      "𠀀",   "こ",   "한",       "ni",   "hao",    "xian",   "Xī",     "ān",     "nü", "lue", "zg",
      "th",   "a",    "1",        "5",    "6",      ".",      " ",      "\n",     "，", "。",  "。",
      "Ｚ",   "ｇ",   "u\u0308",  "ǚ",    "\u0301", "\u0304", "\u200b", "\u0323", "ﬁ",  "㏠",  "ß",
      "😀",   "\xff", "\xe4\xb8", "é"};
  std::string text;
  for (size_t parts = 1 + random() % 12; parts > 0; --parts) {
    if (random() % 3 == 0) {
      text += Utf8(Symbols{0x4E00 + static_cast<uint32_t>(random() % 20000)});
    } else {
      text += kParts[random() % std::size(kParts)];
    }
  }
  return text;
}

TEST(ReadingTest, BothFormsReadLikeTheOracle) {
  std::vector<Channel> channels;
  for (const char* name : kChannels) channels.push_back(Open(name));
  std::mt19937 random(1);
  for (int round = 0; round < 600; ++round) {
    const std::string text = RandomText(random);
    for (size_t i = 0; i < channels.size(); ++i) {
      const Symbols fast = Fast(channels[i], text);
      const SpannedSymbols explained = channels[i].view().Explain(text);
      ASSERT_EQ(fast, explained.symbols) << kChannels[i] << " " << text;
      Words names;
      for (const uint32_t symbol : fast) names.push_back(channels[i].view().Name(symbol));
      const std::string_view name = kChannels[i];
      const std::string_view kind = name.substr(0, name.find('('));
      ASSERT_EQ(names, ReadByOracle(kind, i == 1, text)) << kChannels[i] << " " << text;
      Symbols by_line;
      for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
        channels[i].view().ComputeInto(std::string_view(text).substr(at, end - at), by_line);
        at = end;
      }
      ASSERT_EQ(by_line, fast) << kChannels[i] << " " << text;
      ByteSpan last;
      for (const ByteSpan& span : explained.spans) {
        ASSERT_TRUE(span.begin < span.end && span.end.value <= text.size()) << text;
        ASSERT_TRUE(last.begin <= span.begin && last.end <= span.end) << text;
        last = span;
      }
    }
  }
}

TEST(ReadingTest, ALongTextReadsLikeItsPieces) {
  const Channel phrase = Open("pinyin(reading=phrase)");
  std::mt19937 random(2);
  std::string text;
  while (text.size() < 60000) {
    for (size_t length = random() % 300; length > 0; --length) {
      text += random() % 3 == 0 ? "银行" : random() % 2 == 0 ? "不得" : "了";
    }
    text += random() % 8 == 0 ? "\n" : random() % 2 == 0 ? "，" : " ma ";
  }
  EXPECT_EQ(Fast(phrase, text), phrase.view().Explain(text).symbols);
}

TEST(ReadingTest, GivesThePublishedSymbols) {
  for (const std::string name : {"pinyin", "initials", "phonemes"}) {
    const auto vectors = PublishedVectors("channels.md", name + ".v1");
    ASSERT_GE(vectors.size(), 4U) << name;
    for (const auto& [input, output] : vectors) {
      Symbols expected;
      std::istringstream words(output);
      for (uint32_t symbol = 0; words >> std::hex >> symbol;) expected.push_back(symbol);
      EXPECT_EQ(Fast(Open(name), Unescape(input)), expected) << input;
    }
  }
}

TEST(ReadingTest, EverySpellingIsOfOneSyllable) {
  for (uint32_t initial = 1; initial <= kInitialCount; ++initial) {
    for (uint32_t final = 1; final <= kFinalCount; ++final) {
      const uint32_t syllable = initial << 6 | final;
      EXPECT_EQ(ParseSyllable(SyllableName(syllable)), syllable) << SyllableName(syllable);
    }
  }
  for (const char* none : {"", "b", "zh", "ê", "xyz", "zhongg", "Zhong"}) {
    EXPECT_FALSE(ParseSyllable(none)) << none;
  }
}

// ---- Data that was damaged or forged. ----

TEST(ReadingTest, ForgedSectionsAreRefused) {
  const std::vector<uint16_t> plane0(0x10000);
  auto bad_tone = plane0;
  bad_tone[0x4E00] = (1 << 6 | 1) << 3 | 6;
  auto bad_initial = plane0;
  bad_initial[0xFFFF] = (25 << 6 | 1) << 3 | 1;
  auto bad_final = plane0;
  bad_final[0] = (1 << 6 | 35) << 3 | 1;
  const uint16_t ba1 = (1 << 6 | 1) << 3 | 1;
  auto letter = plane0;
  letter['b'] = ba1;
  PhraseTableBuilder shorter, no_syllable, good;
  shorter.Add(Symbols{0x94F6, 0x884C}, Symbols{65});
  no_syllable.Add(Symbols{0x94F6, 0x884C}, Symbols{65, 64});
  good.Add(Symbols{0x94F6, 0x884C}, Symbols{65, 65});
  PhraseTableBuilder of_gaps, of_spelled;
  of_gaps.Add(Symbols{0x94F6, kPhraseGap}, Symbols{65, 65});
  of_spelled.Add(Symbols{0x94F6, ReadingUnits::kSpelled | 65}, Symbols{65, 65});
  const struct {
    std::vector<uint16_t> plane0;
    std::vector<uint32_t> beyond;
    std::vector<uint16_t> of_beyond;
    Symbols phrases;
    const char* section;  // the section that is refused; none when all is well
  } kCases[] = {
      {plane0, {0x20000}, {ba1}, good.Build(), nullptr},
      {{}, {}, {}, good.Build(), "reading.plane0"},
      {bad_tone, {}, {}, good.Build(), "reading.plane0"},
      {bad_initial, {}, {}, good.Build(), "reading.plane0"},
      {bad_final, {}, {}, good.Build(), "reading.plane0"},
      {plane0, {0x20000}, {}, good.Build(), "reading.beyond_phonemes"},
      {plane0, {0x20000}, {7}, good.Build(), "reading.beyond_phonemes"},
      {plane0, {0x20001, 0x20000}, {ba1, ba1}, good.Build(), "reading.beyond"},
      {plane0, {0x20000, 0x20000}, {ba1, ba1}, good.Build(), "reading.beyond"},
      {plane0, {}, {}, {}, "reading.phrases"},
      {plane0, {}, {}, shorter.Build(), "reading.phrases"},
      {plane0, {}, {}, no_syllable.Build(), "reading.phrases"},
      {plane0, {}, {}, of_gaps.Build(), "reading.phrases"},
      {plane0, {}, {}, of_spelled.Build(), "reading.phrases"},
      {letter, {}, {}, good.Build(), "reading.plane0"},
      {plane0, {0xFFFF}, {ba1}, good.Build(), "reading.beyond"},
      {plane0, {0x110000}, {ba1}, good.Build(), "reading.beyond"},
  };
  for (const auto& forged : kCases) {
    SectionWriter writer;
    writer.AddValues<uint16_t>("reading.plane0", forged.plane0);
    writer.AddValues<uint32_t>("reading.beyond", forged.beyond);
    writer.AddValues<uint16_t>("reading.beyond_phonemes", forged.of_beyond);
    writer.AddValues<uint32_t>("reading.phrases", forged.phrases);
    writer.Add("packages", "");
    InMemoryFileSystem files;
    files.Put("forged.zwl", writer.Finish(kLanguageFile));
    const auto language = Language::Open(files, "forged.zwl");
    ASSERT_TRUE(language);
    const auto channel = OpenChannel("pinyin(reading=phrase)", *language);
    EXPECT_EQ(channel.has_value(), forged.section == nullptr);
    if (!channel && forged.section != nullptr) {
      EXPECT_EQ(channel.error().code, ErrorCode::kUnreadable);
      EXPECT_THAT(channel.error().message, HasSubstr(std::string(forged.section)));
    }
  }
}

Status CompileTiny(const char* readings, const char* phrases, const char* words,
                   SectionWriter& writer) {
  InMemoryFileSystem files;
  files.Put("tables/readings.tsv", readings);
  files.Put("tables/phrase_readings.tsv", phrases);
  files.Put("tables/segmenter_words.tsv", words);
  return CompileReadings(LanguageTables(files, "tables"), writer);
}

TEST(ReadingTest, PhonemesOccurAsOftenAsTheirWords) {
  SectionWriter writer;
  ASSERT_TRUE(CompileTiny("中\tzhong1\n国\tguo2\n二\ter4\n", "二国\ter zhong\n",
                          "中國\t30\tns\n二国\t5\tm\n国\t0\tn\nT恤二\t2\tn\n", writer));
  const std::string bytes = writer.Finish(kLanguageFile);
  const auto sections = *SectionFile::Of(bytes, "tiny", kLanguageFile);
  const auto frequencies = OpenPhonemeFrequencies(sections);
  ASSERT_TRUE(frequencies) << frequencies.error().message;
  std::vector<uint64_t> expected(63);
  const auto add = [&](const char* spelling, uint32_t tone, uint64_t times) {
    const uint32_t syllable = *ParseSyllable(spelling);
    expected[InitialOf(syllable) - 1] += times;
    expected[23 + FinalOf(syllable)] += times;
    expected[57 + tone] += times;
  };
  add("zhong", 1, 30);
  add("guo", 2, 35);
  add("er", 4, 7);
  EXPECT_THAT(*frequencies, testing::ElementsAreArray(expected));
}

// Tables 2 and 3 of 金哲凡 et al. 2017. In table 1, d is the most frequent initial, which holds for
// texts: 的 is less frequent in the dictionary than in texts.
TEST(ReadingTest, TheMostFrequentPhonemesAreThoseOfTheSource) {
  const auto frequencies = *OpenPhonemeFrequencies(TestLanguage()->sections());
  const auto most = [&](size_t begin, size_t count) {
    const auto part = frequencies.subspan(begin, count);
    return static_cast<uint32_t>(std::ranges::max_element(part) - part.begin()) + 1;
  };
  EXPECT_EQ(FinalName(most(24, 34)), "i");
  EXPECT_EQ(most(58, 5), 4U);
}

TEST(ReadingTest, ForgedFrequenciesAreRefused) {
  std::vector<uint64_t> good(63);
  good[1] = good[24] = good[62] = 7;
  auto fewer_tones = good, too_many = good;
  fewer_tones[62] = 6;
  too_many[0] = too_many[24] = too_many[62] = uint64_t{1} << 40;
  auto turns_over = good;
  turns_over[0] = turns_over[25] = turns_over[58] = ~uint64_t{0};
  const struct {
    std::vector<uint64_t> numbers;
    bool is_good;
  } kCases[] = {{good, true},      {std::vector<uint64_t>(62, 1), false}, {fewer_tones, false},
                {too_many, false}, {std::vector<uint64_t>(63), false},    {turns_over, false}};
  for (const auto& [numbers, is_good] : kCases) {
    SectionWriter writer;
    writer.AddValues<uint64_t>("reading.frequencies", numbers);
    const std::string bytes = writer.Finish(kLanguageFile);
    const auto sections = *SectionFile::Of(bytes, "forged", kLanguageFile);
    const auto opened = OpenPhonemeFrequencies(sections);
    EXPECT_EQ(opened.has_value(), is_good);
    if (opened) continue;
    EXPECT_THAT(opened.error().message, HasSubstr("\"reading.frequencies\""));
  }
}

TEST(ReadingTest, ABadRowOfATableIsNamed) {
  const struct {
    const char *readings, *phrases, *words, *message;
  } kCases[] = {
      {"中\tzhong1\n重\tzhong\n", "", "", "readings.tsv\" line 2"},
      {"中国\tzhong1\n", "", "", "readings.tsv\" line 1"},
      {"中\t\n", "", "", "readings.tsv\" line 1"},
      {"中\tzhong1\textra\n", "", "", "readings.tsv\" line 1"},
      {"中\tzhong1\n", "重庆\tchong\n", "", "phrase_readings.tsv\" line 1"},
      {"中\tzhong1\n", "重庆\tchong qing\n银行\tyin hxng\n", "", "phrase_readings.tsv\" line 2"},
      {"中\tzhong1\n", "", "中\t3\tn\n中\tx\tn\n", "segmenter_words.tsv\" line 2"},
  };
  for (const auto& [readings, phrases, words, message] : kCases) {
    SectionWriter writer;
    const Status compiled = CompileTiny(readings, phrases, words, writer);
    ASSERT_FALSE(compiled);
    EXPECT_THAT(compiled.error().message, HasSubstr(message));
  }
}

}  // namespace
}  // namespace zhiwen
