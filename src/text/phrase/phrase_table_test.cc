#include "text/phrase/phrase_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <utility>

#include "text/phrase/phrase_sink.h"

namespace zhiwen {
namespace {

using Symbols = std::vector<uint32_t>;
using Phrases = std::map<Symbols, Symbols>;
using Added = PhraseTableBuilder::Added;

Symbols Build(const Phrases& phrases) {
  PhraseTableBuilder builder;
  for (const auto& [key, output] : phrases) EXPECT_EQ(builder.Add(key, output), Added::kYes);
  return builder.Build();
}

// Applies the definition: at each place the longest phrase, found by a search through all.
Symbols SlowReplace(const Phrases& phrases, const Symbols& line) {
  Symbols result;
  for (size_t at = 0; at < line.size();) {
    const std::pair<const Symbols, Symbols>* longest = nullptr;
    for (const auto& phrase : phrases) {
      const Symbols& key = phrase.first;
      const bool fits = at + key.size() <= line.size() &&
                        std::equal(key.begin(), key.end(), line.begin() + static_cast<long>(at));
      if (fits && (longest == nullptr || longest->first.size() < key.size())) longest = &phrase;
    }
    if (longest == nullptr) {
      result.push_back(line[at++]);
    } else {
      result.insert(result.end(), longest->second.begin(), longest->second.end());
      at += longest->first.size();
    }
  }
  return result;
}

Symbols RandomSymbols(std::mt19937& random, size_t length) {
  static constexpr uint32_t kSome[] = {'a', U'国', U'語', 0x20000, 0x80000001, 0xFFFFFFFF};
  Symbols symbols(length);
  for (uint32_t& symbol : symbols) symbol = kSome[random() % std::size(kSome)];
  return symbols;
}

TEST(PhraseTableTest, EveryPhraseIsThere) {
  const Phrases phrases = {{{4, 2, 3}, {9}}, {{4}, {7, 7}}, {{5, 6}, {5, 6}}};
  const Symbols array = Build(phrases);
  const auto table = PhraseTable::Open(array);
  ASSERT_TRUE(table);
  Phrases seen;
  table->ForEach([&](std::span<const uint32_t> key, std::span<const uint32_t> output) {
    seen[{key.begin(), key.end()}] = {output.begin(), output.end()};
  });
  EXPECT_EQ(seen, phrases);
  EXPECT_EQ(table->FindLongest(Symbols{4, 2, 4}).length, 1U);
  EXPECT_EQ(table->FindLongest(Symbols{4, 2, 3, 4}).length, 3U);
  EXPECT_EQ(table->FindLongest(Symbols{2, 3}).length, 0U);
  EXPECT_EQ(PhraseTable().FindLongest(Symbols{1}).length, 0U);
  EXPECT_FALSE(PhraseTable().MayStart(1, 2));
}

TEST(PhraseTableTest, TheBuilderTakesPhrasesOfOneTo32SymbolsOnce) {
  PhraseTableBuilder builder;
  const Symbols longest(kMaxPhraseLength, 3);
  const Symbols longer(kMaxPhraseLength + 1, 3);
  EXPECT_EQ(builder.Add(longest, longest), Added::kYes);
  EXPECT_EQ(builder.Add(longest, {}), Added::kLength);
  EXPECT_EQ(builder.Add({}, longest), Added::kLength);
  EXPECT_EQ(builder.Add(longer, longest), Added::kLength);
  EXPECT_EQ(builder.Add(Symbols{1}, longer), Added::kLength);
  EXPECT_EQ(builder.Add(longest, Symbols{1}), Added::kKnown);
  EXPECT_TRUE(PhraseTable::Open(builder.Build()));
}

TEST(PhraseTableTest, ReplacesTheLongestPhraseAtEachPlaceAndDropsGaps) {
  std::mt19937 random(1);
  for (int round = 0; round < 60; ++round) {
    Phrases phrases;
    for (int i = 0; i < 12; ++i) {
      phrases[RandomSymbols(random, 1 + random() % 4)] = RandomSymbols(random, 1 + random() % 6);
    }
    phrases[RandomSymbols(random, kMaxPhraseLength)] = {1};
    const Symbols array = Build(phrases);
    const auto table = PhraseTable::Open(array);
    ASSERT_TRUE(table);
    Symbols found;
    Symbols expected;
    Symbols units;
    for (int line = 0; line < 3; ++line) {
      Symbols symbols = RandomSymbols(random, random() % 50);
      const Symbols& longest = std::prev(phrases.end())->first;
      symbols.insert(symbols.end(), longest.begin(), longest.end());
      units.insert(units.end(), symbols.begin(), symbols.end());
      units.push_back(kPhraseGap);
      const Symbols slow = SlowReplace(phrases, symbols);
      expected.insert(expected.end(), slow.begin(), slow.end());
    }
    const size_t end = ReplacePhrases(
        *table, units, units.size(), [&](size_t at) { found.push_back(units[at]); },
        [&](size_t, const PhraseTable::Match& match) {
          found.insert(found.end(), match.output.begin(), match.output.end());
        });
    ASSERT_EQ(end, units.size());
    ASSERT_EQ(found, expected) << "round " << round;
  }
}

TEST(PhraseTableTest, AForgedArrayIsRefused) {
  const Symbols good = Build({{{4, 2}, {9}}, {{5}, {8}}});  // four nodes, two output values
  ASSERT_EQ(good.size(), 2U + 5 + 3 + 5 + 2);
  ASSERT_TRUE(PhraseTable::Open(good));
  const struct {
    size_t at;
    uint32_t value;
    const char* why;
  } cases[] = {
      {0, 0, "no node"},
      {0, 5, "more nodes"},
      {0, 0xFFFFFFFF, "far more nodes"},
      {1, 3, "more outputs"},
      {2, 1, "starts late"},
      {3, 9, "edges beyond the end"},
      {6, 2, "ends early"},
      {3, 0, "a circle"},
      {10, 1, "output starts late"},
      {12, 7, "falls"},
      {14, 3, "output beyond"},
      {7, 5, "symbols that do not ascend"},
      {7, kPhraseGap, "a symbol that parts phrases"},
      {0, (1 << 26) + 1, "more nodes than can be numbered"},
  };
  for (const auto& [at, value, why] : cases) {
    Symbols forged = good;
    forged[at] = value;
    EXPECT_FALSE(PhraseTable::Open(forged)) << why;
  }
  for (size_t size = 0; size < good.size(); ++size) {
    EXPECT_FALSE(PhraseTable::Open(std::span(good).first(size))) << size;
  }
}

// Builds tables with chosen hashes: the second symbol of a pair can produce any hash.
TEST(PhraseTableTest, PairsThatAreMadeToBeSlowAreRefused) {
  const auto inverse_of = [](uint32_t factor) {  // modulo 2^32
    uint32_t inverse = 1;
    for (int i = 0; i < 5; ++i) inverse *= 2 - factor * inverse;
    return inverse;
  };
  const uint32_t of_second = inverse_of(0x85EBCA77U);
  const uint32_t of_mixed = inverse_of(0x2C1B3C6DU);
  const auto pair_with = [&](uint32_t first, uint32_t hash) {
    uint32_t sum = hash * of_mixed;
    sum ^= sum >> 15 ^ sum >> 30;
    return Symbols{first, (sum - first * 0x9E3779B1U) * of_second};
  };
  // There are 3,000 pairs in 8,192 slots. Either all want the same slot; or each wants its own, but
  // the slots are adjacent, so that a search for a missing pair looks at all; or the same across
  // the end of the table; or no two are adjacent.
  const struct {
    uint32_t step, begin;
    bool is_refused;
  } cases[] = {{0, 0, true}, {1, 7, true}, {1, 8000, true}, {2, 0, false}};
  for (const auto& [step, begin, is_refused] : cases) {
    PhraseTableBuilder builder;
    for (uint32_t i = 0; i < 3000; ++i) {
      builder.Add(pair_with(i + 2, (begin + i * step) << 19), Symbols{1});
    }
    const Symbols array = builder.Build();
    const auto table = PhraseTable::Open(array);
    ASSERT_EQ(table.has_value(), !is_refused) << step << ' ' << begin;
    if (table) continue;
    EXPECT_THAT(table.error().message, testing::HasSubstr("made to be looked for at one place"));
  }
}

}  // namespace
}  // namespace zhiwen
