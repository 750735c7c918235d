// Tests pinyin-initial DNA against its floating-point definition, and the properties that it
// promises.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "feature/phoneme_counts.h"
#include "fingerprint/dna_code.h"
#include "fingerprint/scheme_test_support.h"
#include "support/language.h"
#include "support/paths.h"
#include "support/published_vectors.h"
#include "text/reading/readings.h"
#include "text/reading/syllable.h"
#include "zhiwen/file_system.h"
#include "zhiwen/phoneme_snapshot.h"

namespace zhiwen {
namespace {

using Digits = std::vector<int>;

Fingerprint Dna(const std::string& parameters, std::string_view text,
                std::shared_ptr<const PhonemeSnapshot> reference = nullptr) {
  const std::string name = parameters.empty() ? "initials_dna" : "initials_dna(" + parameters + ")";
  return ComputeFingerprint(name, text,
                            {.language = TestLanguage(), .phonemes = std::move(reference)});
}

std::shared_ptr<const PhonemeSnapshot> CorpusOfTest() {
  return *PhonemeSnapshot::Open(PosixFileSystem(),
                                SourceFolder() + "/src/fingerprint/testdata/phonemes_v1.zwp");
}

const Readings& TestReadings() {
  static const Readings readings = *Readings::Open(TestLanguage()->sections());
  return readings;
}

// Returns the Han characters that have a reading, grouped by their phonemes.
const std::map<uint32_t, std::vector<uint32_t>>& CharactersByReading() {
  static const auto characters = [] {
    std::map<uint32_t, std::vector<uint32_t>> made;
    for (uint32_t c = 0x4E00; c < 0xA000; ++c) {
      if (const uint32_t phonemes = TestReadings().PhonemesOf(c)) made[phonemes].push_back(c);
    }
    return made;
  }();
  return characters;
}

std::vector<uint32_t> RandomHan(std::mt19937& random, size_t length) {
  std::vector<uint32_t> text;
  while (text.size() < length) {
    // Half of the text is drawn from few characters, so that counts differ from the expected ones.
    const auto c = static_cast<uint32_t>(0x4E00 + random() % (random() % 2 == 0 ? 40 : 0x5000));
    if (TestReadings().PhonemesOf(c) != 0) text.push_back(c);
  }
  return text;
}

char LetterOf(uint32_t character) {
  return SyllableName(SyllableOf(TestReadings().PhonemesOf(character)))[0];
}

// --- the oracle ----------------------------------------------------------------------------------

struct OracleOptions {
  int radix;
  size_t granule;
  double overlap;
  bool spreads;  // scale=granule
  PhonemeCounts reference = *PhonemesOfChinese(*TestLanguage());
};

// Returns the share of a letter in the reference. A letter that never occurs counts as occurring
// once.
long double ShareOf(char letter, const PhonemeCounts& counts) {
  uint64_t occurrences = 0;
  for (uint32_t i = 1; i < kInitialCount; ++i) {
    if (InitialName(i)[0] == letter) occurrences += counts.initials[i - 1];
  }
  return static_cast<long double>(std::max<uint64_t>(occurrences, 1)) /
         static_cast<long double>(counts.characters());
}

Digits DigitsByOracle(std::string_view letters, const OracleOptions& options) {
  const auto n = static_cast<long double>(letters.size());
  const auto radix = static_cast<long double>(options.radix);
  std::vector<long double> deviations, sigmas;
  for (const char letter : std::string("bcdfghjklmnpqrstwxyz")) {
    const long double p = ShareOf(letter, options.reference);
    deviations.push_back(static_cast<long double>(std::ranges::count(letters, letter)) - n * p);
    sigmas.push_back(std::sqrt(n * p * (1 - p)));
  }
  const auto [least, most] = std::ranges::minmax(deviations);
  Digits digits;
  for (size_t i = 0; i < 20; ++i) {
    const long double place = options.spreads ? (deviations[i] - least) / (most - least)
                                              : (deviations[i] / (2 * sigmas[i]) + 1) / 2;
    digits.push_back(static_cast<int>(std::floor(radix * std::clamp(place, 0.0L, 1 - 1e-15L))));
  }
  return digits;
}

std::vector<Digits> CodesByOracle(const std::string& letters, const OracleOptions& options) {
  const auto step = std::max<size_t>(
      1, static_cast<size_t>(
             std::floor(static_cast<double>(options.granule) * (1 - options.overlap) + 0.5)));
  std::vector<size_t> begins;
  for (size_t at = 0; at + options.granule <= letters.size(); at += step) begins.push_back(at);
  const size_t last = letters.size() - options.granule;
  if (begins.back() != last) begins.push_back(last);
  std::vector<Digits> codes;
  for (const size_t at : begins) {
    codes.push_back(DigitsByOracle(std::string_view(letters).substr(at, options.granule), options));
  }
  return codes;
}

// Shifts the number by one place for each digit.
FingerprintBytes BytesOf(const Digits& digits, int radix, size_t width) {
  FingerprintBytes bytes(width);
  for (const int digit : digits) {
    int carry = digit;
    for (size_t i = width; i-- > 0; carry >>= 8) {
      carry += bytes[i] * radix;
      bytes[i] = static_cast<uint8_t>(carry & 255);
    }
    EXPECT_EQ(carry, 0);
  }
  return bytes;
}

TEST(InitialsDnaScheme, IsThatOfItsDefinition) {
  const std::map<int, size_t> widths = {{10, 9}, {8, 8}, {4, 5}, {2, 3}};
  const OracleOptions kOptions[] = {{10, 50, 0.5, false}, {8, 20, 0, false},    {4, 7, 0.9, false},
                                    {2, 50, 0.25, false}, {10, 33, 1, false},   {10, 1, 0.5, false},
                                    {10, 50, 0.5, true},  {8, 200, 0.75, true}, {2, 12, 0.5, true}};
  std::mt19937 random(1);
  for (const OracleOptions& options : kOptions) {
    const std::string parameters =
        fmt::format("digits={},granule={},overlap={},scale={}", options.radix, options.granule,
                    options.overlap, options.spreads ? "granule" : "fixed");
    for (int round = 0; round < 8; ++round) {
      const std::vector<uint32_t> text = RandomHan(random, options.granule + random() % 150);
      std::string letters;
      for (const uint32_t c : text) letters += LetterOf(c);
      const size_t width = widths.at(options.radix);
      FingerprintBytes expected;
      for (const Digits& digits : CodesByOracle(letters, options)) {
        const FingerprintBytes code = BytesOf(digits, options.radix, width);
        expected.insert(expected.end(), code.begin(), code.end());
      }
      const auto codes = std::get<CodeSequence>(Dna(parameters, Utf8Of(text)));
      EXPECT_EQ(codes.width, width);
      ASSERT_EQ(codes.bytes, expected) << parameters << " " << Utf8Of(text);
    }
  }
}

TEST(InitialsDnaScheme, IsHeldAgainstACorpusWhereThereIsOne) {
  const auto corpus = CorpusOfTest();
  OracleOptions options = {10, 40, 0.5, false};
  options.reference = PhonemeCounts::Of(corpus->counts().first<kPhonemeCount>());
  std::mt19937 random(7);
  const std::vector<uint32_t> text = RandomHan(random, 40);
  std::string letters;
  for (const uint32_t c : text) letters += LetterOf(c);
  const FingerprintBytes expected = BytesOf(DigitsByOracle(letters, options), 10, 9);
  const auto codes = std::get<CodeSequence>(Dna("40", Utf8Of(text), corpus));
  EXPECT_EQ(codes.bytes, expected);
  EXPECT_NE(Dna("granule=40,reference=language", Utf8Of(text), corpus), Fingerprint(codes));
  EXPECT_EQ(Dna("granule=40,reference=" + corpus->id(), Utf8Of(text), corpus), Fingerprint(codes));
}

TEST(InitialsDnaScheme, OfAShortTextIsOneGranuleOfAnotherKind) {
  std::mt19937 random(2);
  for (const size_t length : {1, 9, 49}) {
    const std::vector<uint32_t> text = RandomHan(random, length);
    std::string letters;
    for (const uint32_t c : text) letters += LetterOf(c);
    for (const bool spreads : {false, true}) {
      const Fingerprint value = Dna(spreads ? "scale=granule" : "", Utf8Of(text));
      const Digits digits = DigitsByOracle(letters, {10, length, 0.5, spreads});
      EXPECT_EQ(std::get<FingerprintBytes>(value), BytesOf(digits, 10, 9)) << length;
    }
  }
  const std::string whole = Utf8Of(RandomHan(random, 50));
  EXPECT_EQ(std::get<CodeSequence>(Dna("", whole)).size(), 1U);
  EXPECT_FALSE(HasValue(Dna("", "123, the !")));
  EXPECT_FALSE(HasValue(Dna("channel=phonemes", "zhongguo")));
}

TEST(InitialsDnaScheme, CharactersThatSoundTheSameChangeNothing) {
  std::mt19937 random(3);
  std::vector<uint32_t> text = RandomHan(random, 300);
  const std::string original = Utf8Of(text);
  for (uint32_t& c : text) {
    const auto& same = CharactersByReading().at(TestReadings().PhonemesOf(c));
    c = same[random() % same.size()];
  }
  const std::string changed = Utf8Of(text);
  ASSERT_NE(original, changed);
  for (const char* parameters : {"", "digits=2", "granule=20,overlap=1", "scale=granule"}) {
    EXPECT_EQ(Dna(parameters, original), Dna(parameters, changed)) << parameters;
  }
  // If phrases were read, 重 would be chong in the first text and zhong in the second.
  EXPECT_EQ(Dna("", "重庆"), Dna("", "众磬"));
}

TEST(InitialsDnaScheme, WhatIsNotHanIsSkipped) {
  const std::string text = Utf8Of([] {
    std::mt19937 random(4);
    return RandomHan(random, 80);
  }());
  std::string with_others, with_pinyin;
  for (size_t i = 0; i < text.size(); i += 3) {
    with_others += (i % 4 == 0 ? "，\n" : i % 5 == 0 ? " 3.5%" : "の") + text.substr(i, 3);
    with_pinyin += " zg" + text.substr(i, 3);
  }
  EXPECT_EQ(Dna("", text), Dna("", with_others));
  // The channel initials also reads pinyin written for Han characters.
  EXPECT_NE(Dna("", text), Dna("", with_pinyin));
  EXPECT_EQ(Dna("channel=phonemes", text), Dna("channel=phonemes", with_pinyin));
  EXPECT_EQ(Dna("channel=phonemes", text), Dna("", text));
}

// Syllables without a digit count in the granule: 安 (an) takes a place, which leaves fewer for 的.
TEST(InitialsDnaScheme, SyllablesWithoutALetterCount) {
  const auto count = [](const char* character, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += character;
    return text;
  };
  EXPECT_EQ(std::get<CodeSequence>(Dna("", count("安", 50))).size(), 1U);
  const auto digits = [](const Fingerprint& value) {
    return DigitsOfDna(std::get<CodeSequence>(value)[0], 10);
  };
  const DnaDigits mixed = digits(Dna("", count("安", 46) + count("的", 4)));
  EXPECT_EQ(mixed[2], 5);  // 3.7 occurrences of d are expected
  EXPECT_EQ(mixed[0], 1);  // 2.4 of b are expected, so 0 is 1.6 deviations below
  EXPECT_EQ(digits(Dna("", count("的", 50)))[2], 9);
}

TEST(InitialsDnaScheme, RefusesWhatDoesNotFit) {
  const auto error_of = [](std::string_view name) {
    const auto scheme = Scheme::Create(name, {.language = TestLanguage()});
    return scheme ? "none" : scheme.error().message;
  };
  EXPECT_THAT(error_of("initials_dna(channel=pinyin(phrase))"),
              testing::AnyOf(testing::HasSubstr("only the channels initials and phonemes"),
                             testing::HasSubstr("pinyin")));
  EXPECT_THAT(error_of("initials_dna(channel=folded)"),
              testing::HasSubstr("only the channels initials and phonemes"));
  EXPECT_THAT(error_of("initials_dna(digits=16)"), testing::HasSubstr("10 | 8 | 4 | 2"));
  EXPECT_THAT(error_of("initials_dna(0)"), testing::HasSubstr("integer 1…65536"));
  EXPECT_THAT(error_of("initials_dna(overlap=1.5)"), testing::HasSubstr("number 0…1"));
  EXPECT_FALSE(Scheme::Create("initials_dna"));  // needs language data
  // The name takes its reference from the language data of its channel.
  const SchemeResources foreign = {.channel = *OpenChannel("initials", TestLanguage())};
  EXPECT_FALSE(Scheme::Create("initials_dna", foreign));
}

TEST(InitialsDnaScheme, GivesThePublishedValues) {
  const auto vectors = PublishedVectors("initials_dna.md");
  EXPECT_EQ(vectors.size(), 6U);
  for (const auto& [input, output] : vectors) {
    const size_t at = input.find(" : ");
    ASSERT_NE(at, std::string::npos) << input;
    const Fingerprint value =
        ComputeFingerprint(input.substr(0, at), input.substr(at + 3), {.language = TestLanguage()});
    EXPECT_EQ(PrintFingerprint(value), output) << input;
  }
}

TEST(DnaCode, GivesItsDigitsAgain) {
  std::mt19937 random(5);
  for (const uint32_t radix : {10U, 8U, 4U, 2U}) {
    EXPECT_EQ(DnaRadix(DnaWidth(radix)), radix);
    for (int round = 0; round < 100; ++round) {
      DnaDigits digits;
      for (uint8_t& digit : digits)
        digit = static_cast<uint8_t>(round == 0 ? radix - 1 : random() % radix);
      FingerprintBytes bytes;
      AppendDnaCode(digits, radix, bytes);
      EXPECT_EQ(bytes.size(), DnaWidth(radix));
      EXPECT_EQ(DigitsOfDna(bytes, radix), digits);
    }
  }
  EXPECT_EQ(DnaRadix(4), 0U);
}

}  // namespace
}  // namespace zhiwen
