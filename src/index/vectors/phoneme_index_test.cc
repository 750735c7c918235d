// Every index of phonemes returns what brute force returns, and the filter excludes nothing that
// the models accept.

#include "index/vectors/phoneme_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "fingerprint/phoneme_model.h"
#include "index/vectors/phoneme_filter.h"
#include "index/vectors/phoneme_search.h"

namespace zhiwen {
namespace {

using Kind = PhonemeRule::Kind;
using Bytes = std::vector<uint8_t>;

// Draws texts of a language: phonemes are equally frequent in all, except for chance and for
// changes.
PhonemeCounts DrawText(std::mt19937_64& random, uint64_t characters) {
  PhonemeCounts counts;
  const auto draw = [&](auto& of) {
    const size_t a = random() % of.size();
    const size_t b = random() % of.size();
    ++of[std::min(a, b)];
  };
  for (uint64_t i = 0; i < characters; ++i) {
    draw(counts.initials);
    draw(counts.finals);
    draw(counts.tones);
  }
  return counts;
}

// Draws rows: some are equal, some nearly equal, some empty, and some arbitrary.
Bytes DrawRows(std::mt19937_64& random, size_t count) {
  std::vector<PhonemeCounts> texts;
  Bytes rows;
  for (size_t i = 0; i < count; ++i) {
    texts.push_back(DrawText(random, 5 + random() % 100));
    if (i % 3 == 0) texts.back() = texts[random() % texts.size()];
    if (i % 6 == 0) texts.back().Add(DrawText(random, 3));
    const PhonemeVector vector = QuantisePhonemes(texts.back());
    rows.insert(rows.end(), vector.bytes.begin(), vector.bytes.end());
    const auto row = std::span(rows).last(kPhonemeCount);
    if (i % 50 == 7) std::ranges::fill(row.first(kInitialCount), uint8_t{0});
    if (i % 50 == 8) std::ranges::generate(row, [&] { return static_cast<uint8_t>(random()); });
    if (i % 50 == 9) std::ranges::fill(row, uint8_t{255});
  }
  return rows;
}

// Returns the rules of the source; rules that most rows or all reach; and rules that a pair of rows
// only just exceeds, which rounding would miss.
std::vector<PhonemeRule> Rules(const PhonemeRows& rows, std::mt19937_64& random) {
  PhonemeRule any = {.kind = Kind::kSimilarity};
  any.model.similarity = -1;
  PhonemeRule many = {.kind = Kind::kThresholds};
  many.model.thresholds = {0.8, 0.7, 0};
  std::vector<PhonemeRule> rules = {{.kind = Kind::kSimilarity},
                                    {.kind = Kind::kThresholds},
                                    {.kind = Kind::kNearest, .count = 0},
                                    {.kind = Kind::kNearest, .count = 1},
                                    {.kind = Kind::kNearest, .count = 25},
                                    {.kind = Kind::kNearest, .count = 5000},
                                    any,
                                    many};
  for (int i = 0; i < 8; ++i) {
    std::array<PhonemeCounts, 2> of;
    for (PhonemeCounts& counts : of) {
      const auto row = rows[i % 2 == 0 ? 0 : random() % rows.size()];
      counts = PhonemesOf(FingerprintBytes(row.begin(), row.end()));
    }
    const PhonemeTriple cosines = ComputeCosines(of[0], of[1]);
    PhonemeRule& rule = rules.emplace_back();
    rule.kind = i < 4 ? Kind::kSimilarity : Kind::kThresholds;
    rule.model.similarity = rule.model.Similarity(cosines) - 1e-12;
    for (size_t j = 0; j < 3; ++j) rule.model.thresholds[j] = cosines[j] - 1e-12;
  }
  return rules;
}

TEST(ScannedPhonemes, FindWhatBruteForceFindsWhateverIsInsertedAndRemoved) {
  std::mt19937_64 random(1);
  ScannedPhonemes index;
  BruteForcePhonemes slow;
  EXPECT_TRUE(index.Query({}, {}).empty());
  for (const size_t count : {1, 40, 256, 100}) {
    const Bytes added = DrawRows(random, count);
    EXPECT_EQ(index.Insert(added), slow.Insert(added));
    Bytes asked = DrawRows(random, 4);
    asked.insert(asked.end(), added.begin(), added.begin() + kPhonemeCount);
    for (const PhonemeRule& rule : Rules({.bytes = added}, random)) {
      EXPECT_EQ(index.Query({.bytes = asked}, rule), slow.Query({.bytes = asked}, rule));
    }
    std::vector<uint64_t> numbers = {random() % 300, 1'000'000};
    for (size_t i = 0; i < count / 4; ++i) numbers.push_back(random() % 400);
    EXPECT_EQ(index.Remove(numbers), slow.Remove(numbers));
    EXPECT_EQ(index.Remove(numbers), 0u);
    EXPECT_EQ(index.size(), slow.size());
  }
  EXPECT_LT(index.size(), 390u);
}

// Computes the definition by hand: the same sound with any length, half of it, and none.
TEST(BruteForcePhonemes, CompareByCosines) {
  Bytes rows(4 * kPhonemeCount);
  const std::array<size_t, 3> at = {0, kInitialCount, kInitialCount + kFinalCount};
  for (const size_t kind : at) {
    rows[kind] = 255;
    rows[kPhonemeCount + kind] = 1;
    rows[2 * kPhonemeCount + kind] = rows[2 * kPhonemeCount + kind + 1] = 9;
  }
  BruteForcePhonemes slow;
  EXPECT_EQ(slow.Insert(rows), 0u);
  const PhonemeRows query = {.bytes = std::span(rows).first<kPhonemeCount>()};
  PhonemeRule rule = {.kind = Kind::kNearest, .count = 3};
  const PhonemeMatches nearest = slow.Query(query, rule);
  ASSERT_EQ(nearest.size(), 3u);
  for (uint64_t i = 0; i < 3; ++i) EXPECT_EQ(nearest[i].row, i);
  EXPECT_DOUBLE_EQ(nearest[1].similarity, 1);
  EXPECT_DOUBLE_EQ(nearest[2].similarity, std::sqrt(0.5));
  rule.kind = Kind::kThresholds;
  EXPECT_EQ(slow.Query(query, rule).size(), 2u);
  rule.model.thresholds[2] = 1;  // a cosine must be above it
  EXPECT_TRUE(slow.Query(query, rule).empty());
}

TEST(PhonemeSearch, FindsTheSameInPiecesInWhateverOrder) {
  std::mt19937_64 random(2);
  const Bytes bytes = DrawRows(random, 700);
  const PhonemeRows queries = {.bytes = std::span(bytes).first(5 * kPhonemeCount)};
  std::vector<uint64_t> removed(11);
  for (uint64_t& word : removed) word = random() & random() & random();
  BruteForcePhonemes slow;
  slow.Insert(bytes);
  for (uint64_t i = 0; i < 700; ++i) {
    if ((removed[i / 64] >> i % 64 & 1) != 0) slow.Remove(std::span(&i, 1));
  }
  constexpr std::pair<size_t, size_t> kPieces[] = {{320, 380}, {0, 64}, {64, 256}};
  for (const PhonemeRule& rule : Rules({.bytes = bytes}, random)) {
    PhonemeSearch search(queries, rule);
    for (const auto& [first, count] : kPieces) {
      search.Scan({.bytes = std::span(bytes).subspan(first * kPhonemeCount, count * kPhonemeCount),
                   .first = first,
                   .removed = std::span(removed).subspan(first / 64)});
    }
    EXPECT_EQ(search.Finish(), slow.Query(queries, rule));
  }
}

// --- counts as bytes -----------------------------------------------------------------------------

TEST(PhonemeFilter, ExcludesNothingThatTheModelsAccept) {
  std::mt19937_64 random(1);
  std::vector<PhonemeCounts> texts;
  PhonemeFilter filter;
  for (int i = 0; i < 300; ++i) {
    texts.push_back(DrawText(random, 5 + random() % 300));
    if (i % 3 == 0) texts.back() = texts[random() % texts.size()];  // an equal text
    if (i % 5 == 0) texts.back().Add(DrawText(random, 3));          // and a little more
    filter.Add(QuantisePhonemes(texts.back()));
  }
  ASSERT_EQ(filter.size(), texts.size());
  size_t accepted = 0, candidates_of_all = 0, missed = 0;
  for (const PhonemeCounts& query : texts) {
    PhonemeModel model;
    // Draws thresholds that pairs come close to.
    const PhonemeTriple near = ComputeCosines(query, texts[random() % texts.size()]);
    if (random() % 2 == 0) {
      model.thresholds = {near[0] - 1e-12, near[1] - 1e-12, near[2] - 1e-12};
      model.similarity = model.Similarity(near) - 1e-12;
    }
    for (const Kind which : {Kind::kThresholds, Kind::kSimilarity}) {
      std::vector<uint32_t> candidates;
      filter.Query(QuantisePhonemes(query), model, which, candidates);
      ASSERT_TRUE(std::ranges::is_sorted(candidates));
      candidates_of_all += candidates.size();
      for (uint32_t i = 0; i < texts.size(); ++i) {
        const PhonemeTriple cosines = ComputeCosines(query, texts[i]);
        const bool is_accepted =
            which == Kind::kThresholds ? model.Model1(cosines) : model.Model2(cosines);
        accepted += is_accepted ? 1 : 0;
        missed += is_accepted && !std::ranges::binary_search(candidates, i) ? 1 : 0;
      }
    }
  }
  EXPECT_EQ(missed, 0u);
  EXPECT_GT(accepted, texts.size());
  // The filter accepts little that the models do not.
  EXPECT_LT(static_cast<double>(candidates_of_all), 1.2 * static_cast<double>(accepted));
}

TEST(PhonemeFilter, OfNoPhonemesFindsNone) {
  PhonemeFilter filter;
  filter.Add(QuantisePhonemes({}));
  std::vector<uint32_t> candidates = {7};
  filter.Query(QuantisePhonemes({}), {}, Kind::kSimilarity, candidates);
  EXPECT_TRUE(candidates.empty());
  std::mt19937_64 random(1);
  filter.Query(QuantisePhonemes(DrawText(random, 50)), {}, Kind::kThresholds, candidates);
  EXPECT_TRUE(candidates.empty());
}

}  // namespace
}  // namespace zhiwen
