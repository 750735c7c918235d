#include <algorithm>
#include <bit>
#include <mutex>
#include <numeric>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/draws.h"
#include "match/similarity.h"
#include "pipeline/batches/batch_test_support.h"
#include "pipeline/calibrate/counted_pairs.h"
#include "pipeline/calibrate/recommend.h"
#include "pipeline/calibrate/wilson_interval.h"
#include "pipeline/dedup/input/text_features.h"
#include "zhiwen/calibration.h"

namespace zhiwen {
namespace {

using ::testing::HasSubstr;

// Codes near a few centres and sets that share some shingles, so that all kinds of pairs occur.
std::vector<CodedText> MadeTexts(size_t count, uint64_t seed) {
  Draws draws(seed);
  std::vector<CodedText> texts;
  for (size_t i = 0; i < count; ++i) {
    CodedText& text = texts.emplace_back();
    text.code = draws.Next(5) * 0x9E3779B97F4A7C15;
    for (size_t flips = draws.Next(12); flips > 0; --flips)
      text.code ^= uint64_t{1} << draws.Next(64);
    text.length = static_cast<uint32_t>(draws.Next(kCalibrationLengths.size()));
    std::set<uint64_t> shingles;
    for (size_t k = draws.Next(30); k > 0; --k) shingles.insert(draws.Next(60));
    text.shingles.assign(shingles.begin(), shingles.end());
  }
  return texts;
}

TEST(CountedPairs, EqualThoseOfAllPairs) {
  const std::vector<CodedText> texts = MadeTexts(120, 1);
  const PairCounting options{.bits = 64, .unrelated = 0.2};
  std::vector<CountedPairs> expected(kCalibrationLengths.size() + 1);
  for (CountedPairs& pairs : expected) {
    pairs.unrelated.by_distance.resize(65);
    pairs.related.fill(DistanceCounts(65));
  }
  for (size_t a = 0; a < texts.size(); ++a) {
    for (size_t b = a + 1; b < texts.size(); ++b) {
      const double resemblance = ComputeOverlap(texts[a].shingles, texts[b].shingles).Resemblance();
      const int distance = std::popcount(texts[a].code ^ texts[b].code);
      for (const size_t at :
           {size_t{std::min(texts[a].length, texts[b].length)}, kCalibrationLengths.size()}) {
        CountedPairs& pairs = expected[at];
        size_t bin = 0;
        while (bin + 1 < kRelatedFrom.size() && resemblance >= kRelatedFrom[bin + 1]) ++bin;
        ++(resemblance < options.unrelated ? pairs.unrelated.by_distance
                                           : pairs.related[bin])[static_cast<size_t>(distance)];
      }
    }
  }
  ASSERT_GT(CountWithin(expected.back().related[1], 64), 20u);
  for (const size_t threads : {1, 3}) {
    const auto executor = MakeThreadPool(threads);
    size_t advanced = 0;
    std::mutex mutex;
    const auto counted = CountPairs(texts, options, *executor, Cancellation(), [&] {
      const std::scoped_lock lock(mutex);
      ++advanced;
    });
    ASSERT_TRUE(counted);
    EXPECT_EQ(advanced, texts.size());
    for (size_t at = 0; at < expected.size(); ++at) {
      EXPECT_EQ((*counted)[at].unrelated.by_distance, expected[at].unrelated.by_distance) << at;
      EXPECT_EQ((*counted)[at].related, expected[at].related) << at;
    }
  }
}

// The spread of the number of pairs within a radius is its variance over samples, above that of
// independent pairs. Codes are drawn many times: near a few centres, and anywhere.
double MeasuredSpread(size_t centres, double* estimated) {
  constexpr size_t kTexts = 60, kRounds = 400;
  constexpr uint32_t kRadius = 10;
  double sum = 0, squares = 0, spread = 0;
  for (uint64_t round = 0; round < kRounds; ++round) {
    Draws draws(round);
    std::vector<CodedText> texts(kTexts);
    for (CodedText& text : texts) {
      text.code = HashBytes64(BytesOfValue(draws.Next(centres)), 5) & 0xFFFFFFFF;
    }
    const auto counted = CountPairs(texts, {.bits = 32, .unrelated = 0.5}, *MakeInlineExecutor(),
                                    Cancellation(), [] {});
    const auto within =
        static_cast<double>(CountWithin(counted->back().unrelated.by_distance, kRadius));
    sum += within;
    squares += within * within;
    spread += counted->back().unrelated.spread[kRadius] / kRounds;
  }
  const double mean = sum / kRounds;
  *estimated = spread;
  return (squares / kRounds - mean * mean) / mean;
}

TEST(CountedPairs, PairsThatShareTextsCountAsFewer) {
  double estimated = 0;
  const double independent = MeasuredSpread(1'000'000, &estimated);
  EXPECT_NEAR(independent, 1, 0.35);
  EXPECT_NEAR(estimated, 1, 0.35);
  const double dependent = MeasuredSpread(7, &estimated);
  EXPECT_GT(dependent, 1.4);
  EXPECT_NEAR(estimated / dependent, 1, 0.35);
}

TEST(Intervals, AreThoseOfWilson) {
  // E. Wilson's interval as statsmodels 0.14 gives it: proportion_confint(method="wilson").
  const ShareInterval some = WilsonInterval(8, 10);
  EXPECT_NEAR(some.low, 0.490162, 1e-5);
  EXPECT_NEAR(some.high, 0.943318, 1e-5);
  const ShareInterval none = WilsonInterval(0, 1'000'000);
  EXPECT_EQ(none.low, 0);
  EXPECT_NEAR(none.high, 3.841444e-6, 1e-10);
  EXPECT_EQ(WilsonInterval(0, 0).high, 1);
}

TEST(Intervals, SayHowLargeACorpusMayBe) {
  EXPECT_EQ(DocumentsWithFewFalseJoins({.share = 0, .low = 0, .high = 9.79e-7}), 10'000u);
  EXPECT_EQ(DocumentsWithFewFalseJoins({.share = 0, .low = 0, .high = 1e-10}), 100'000'000u);
  EXPECT_EQ(DocumentsWithFewFalseJoins({.share = 1, .low = 1, .high = 1}), 0u);
}

TEST(DistanceCounts, QuantilesAreDistancesOfPairs) {
  const DistanceCounts counts = {0, 1, 0, 8, 1};
  EXPECT_EQ(DistanceQuantile(counts, 0), 1u);
  EXPECT_EQ(DistanceQuantile(counts, 0.1), 1u);
  EXPECT_EQ(DistanceQuantile(counts, 0.5), 3u);
  EXPECT_EQ(DistanceQuantile(counts, 0.9), 3u);
  EXPECT_EQ(DistanceQuantile(counts, 1), 4u);
  EXPECT_EQ(DistanceQuantile({0, 0}, 0.5), std::nullopt);
  EXPECT_EQ(CountWithin(counts, 3), 9u);
}

// 10 million pairs at distance 3 and some nearer ones; 1,000 copies at distance 0 or 3.
LengthCalibration MeasuredLength(DistanceCounts nearer_pairs, uint64_t copies_found) {
  LengthCalibration measured;
  measured.unrelated.by_distance = std::move(nearer_pairs);
  measured.unrelated.by_distance.push_back(10'000'000);
  measured.unrelated.spread = {1, 1, 1, 1};
  measured.changed[2].copies = 1000;
  measured.changed[2].by_distance = {copies_found, 0, 0, 1000 - copies_found};
  RecommendRadius({}, 2, measured);
  return measured;
}

TEST(Recommendation, IsTheLargestRadiusWithRareFalseJoins) {
  EXPECT_EQ(MeasuredLength({0, 0, 2}, 950).radius, 2u);
  EXPECT_EQ(MeasuredLength({0, 0, 5}, 950).radius, 1u);  // 5 in 10⁷ may be more than 1 in 10⁶
  EXPECT_EQ(MeasuredLength({5, 0, 0}, 950).radius, std::nullopt);
  EXPECT_EQ(MeasuredLength({5, 0, 0}, 950).used_radius, 2u);  // that of all
}

TEST(Recommendation, AVerdictIsShownByBothIntervals) {
  EXPECT_EQ(MeasuredLength({0, 0, 2}, 950).verdict, RadiusVerdict::kFit);
  EXPECT_EQ(MeasuredLength({0, 0, 2}, 905).verdict, RadiusVerdict::kNotSure);
  EXPECT_EQ(MeasuredLength({0, 0, 2}, 700).verdict, RadiusVerdict::kUnfit);
  EXPECT_EQ(MeasuredLength({5, 0, 0}, 950).verdict, RadiusVerdict::kTooFew);
  EXPECT_EQ(MeasuredLength({5, 0, 0}, 700).verdict, RadiusVerdict::kUnfit);
  EXPECT_EQ(MeasuredLength({100, 0, 0}, 1000).verdict, RadiusVerdict::kUnfit);
}

TEST(Recommendation, IsTheHighestThresholdThatFindsEnough) {
  std::vector<double> resemblances(100);
  for (size_t i = 0; i < 100; ++i) resemblances[i] = 0.6 + 0.003 * static_cast<double>(i);
  LengthCalibration measured;
  RecommendThreshold({.found = 0.9}, resemblances, measured);
  EXPECT_EQ(measured.threshold, 0.63);
  EXPECT_NEAR(measured.found_at_threshold.share, 0.9, 1e-9);
  LengthCalibration low;
  resemblances[10] = resemblances[9] = 0.3;
  std::ranges::sort(resemblances);
  RecommendThreshold({.found = 0.99}, resemblances, low);
  EXPECT_EQ(low.threshold, std::nullopt);
}

TEST(Recommendation, ShortLengthsAreUnfitOnlyWhereNoShorterOneIsFit) {
  const auto length = [](uint64_t to, RadiusVerdict verdict) {
    LengthCalibration measured;
    measured.to = to;
    measured.verdict = verdict;
    return measured;
  };
  const auto fit = RadiusVerdict::kFit, unfit = RadiusVerdict::kUnfit, few = RadiusVerdict::kTooFew;
  EXPECT_EQ(FindUnfitBelow(std::vector{length(50, few), length(100, unfit), length(0, fit)}), 100u);
  EXPECT_EQ(FindUnfitBelow(std::vector{length(50, fit), length(100, unfit)}), std::nullopt);
  EXPECT_EQ(FindUnfitBelow(std::vector{length(50, unfit), length(0, unfit)}), std::nullopt);
  EXPECT_EQ(FindUnfitBelow(std::vector{length(50, fit), length(0, few)}), std::nullopt);
}

// Returns records of texts of drawn characters; some are copies with a few of them changed.
std::string DrawnRecords(size_t count) {
  Draws draws(11);
  std::string lines;
  std::vector<std::vector<size_t>> texts;
  for (size_t i = 0; i < count; ++i) {
    std::vector<size_t> text;
    if (i % 10 == 9) {
      text = texts[i - 5];
      for (int k = 0; k < 3; ++k) text[draws.Next(text.size())] = draws.Next(3000);
    } else {
      for (size_t k = 30 + draws.Next(300); k > 0; --k) text.push_back(draws.Next(3000));
    }
    texts.push_back(text);
    lines += "{\"id\":\"" + std::to_string(i) + "\",\"text\":\"";
    for (const size_t symbol : text) {
      const size_t character = 0x4E00 + symbol;
      lines += static_cast<char>(0xE0 | character >> 12);
      lines += static_cast<char>(0x80 | (character >> 6 & 0x3F));
      lines += static_cast<char>(0x80 | (character & 0x3F));
    }
    lines += "\"}\n";
  }
  return lines;
}

CalibrateOptions OptionsFor(const std::string& path) {
  CalibrateOptions options;
  options.inputs.paths = {path};
  options.scheme = *Scheme::Create("simhash64(feature=shingle(3))");
  return options;
}

TEST(Calibrate, RacedThreadsAndOrderChangeNothing) {
  const std::string records = DrawnRecords(150);
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < records.size();) {
    const size_t end = records.find('\n', begin) + 1;
    lines.push_back(records.substr(begin, end - begin));
    begin = end;
  }
  lines.insert(lines.end(), lines.begin(), lines.begin() + 20);  // equal texts count once
  std::ranges::reverse(lines);
  BatchSurroundings one, three(3);
  one.files.Put("a.jsonl", records);
  three.files.Put("a.jsonl", std::accumulate(lines.begin(), lines.end(), std::string()));
  auto a = Calibrate(OptionsFor("a.jsonl"), one.environment());
  auto b = Calibrate(OptionsFor("a.jsonl"), three.environment());
  ASSERT_TRUE(a) << a.error().message;
  ASSERT_TRUE(b) << b.error().message;
  EXPECT_EQ(a->texts, 150u);
  EXPECT_EQ(b->documents, 170u);
  b->documents = a->documents;
  EXPECT_EQ(CalibrationToJson(*a, {}), CalibrationToJson(*b, {}));
  EXPECT_EQ(CalibrationToToml(*a, {}), CalibrationToToml(*b, {}));
  EXPECT_EQ(RenderCalibrationPage(*a, {}), RenderCalibrationPage(*b, {}));
  uint64_t related = 0;
  for (const DistanceCounts& counts : a->all.related) related += CountWithin(counts, 64);
  EXPECT_EQ(related, 15u);  // the copies, and no others
  EXPECT_EQ(a->all.unrelated.pairs() + related, 150u * 149 / 2);
}

TEST(Calibrate, TheFiguresOfLengthsAddUp) {
  BatchSurroundings around;
  around.files.Put("a.jsonl", DrawnRecords(120));
  const auto measured = Calibrate(OptionsFor("a.jsonl"), around.environment());
  ASSERT_TRUE(measured);
  uint64_t texts = 0, pairs = 0, copies = 0;
  for (const LengthCalibration& length : measured->lengths) {
    texts += length.texts;
    pairs += length.unrelated.pairs();
    copies += length.changed[3].copies;
  }
  EXPECT_EQ(texts, measured->all.texts);
  EXPECT_EQ(pairs, measured->all.unrelated.pairs());
  EXPECT_EQ(copies, measured->all.changed[3].copies);
  EXPECT_EQ(measured->all.changed[5].copies, 120u);
  // More changes, more distance and less resemblance.
  for (size_t i = 1; i < kChangedShares.size(); ++i) {
    const ChangedCopies& fewer = measured->all.changed[i - 1];
    const ChangedCopies& more = measured->all.changed[i];
    EXPECT_LE(DistanceQuantile(fewer.by_distance, 0.5), DistanceQuantile(more.by_distance, 0.5));
    EXPECT_GT(fewer.resemblance[2], more.resemblance[2]);
  }
}

TEST(Calibrate, DrawsAsManyTextsAsItIsTold) {
  BatchSurroundings around;
  around.files.Put("a.jsonl", DrawnRecords(120));
  CalibrateOptions options = OptionsFor("a.jsonl");
  options.texts = 40;
  const auto measured = Calibrate(options, around.environment());
  ASSERT_TRUE(measured);
  EXPECT_EQ(measured->texts, 40u);
  options.seed = 2;
  const auto other = Calibrate(options, around.environment());
  ASSERT_TRUE(other);
  EXPECT_NE(measured->all.unrelated.by_distance, other->all.unrelated.by_distance);
}

TEST(Calibrate, CodesOf32BitsHaveTheirOwnDistances) {
  BatchSurroundings around;
  around.files.Put("a.jsonl", DrawnRecords(30));
  CalibrateOptions options = OptionsFor("a.jsonl");
  options.scheme = *Scheme::Create("simhash32");
  const auto measured = Calibrate(options, around.environment());
  ASSERT_TRUE(measured);
  EXPECT_EQ(measured->bits, 32u);
  EXPECT_EQ(measured->all.unrelated.by_distance.size(), 33u);
}

TEST(Calibrate, SaysWhatCannotBe) {
  BatchSurroundings around;
  around.files.Put("a.jsonl", DrawnRecords(3));
  around.files.Put("empty.jsonl", "");
  around.files.Put("short.jsonl", "{\"text\":\"天\"}\n{\"text\":\"地\"}\n");
  around.files.Put("equal.jsonl",
                   "{\"text\":\"天地玄黄宇宙洪荒\"}\n{\"text\":\"天地玄黄宇宙洪荒\"}\n");
  const auto fault_of = [&](CalibrateOptions options) {
    return Calibrate(options, around.environment()).error().message;
  };
  EXPECT_THAT(fault_of(OptionsFor("empty.jsonl")), HasSubstr("of 0 different texts 0 have a code"));
  EXPECT_THAT(fault_of(OptionsFor("short.jsonl")), HasSubstr("of 2 different texts 0 have a code"));
  EXPECT_THAT(fault_of(OptionsFor("equal.jsonl")), HasSubstr("of 1 different texts 1 has a code"));
  CalibrateOptions options = OptionsFor("a.jsonl");
  options.scheme = *Scheme::Create("minhash");
  EXPECT_THAT(fault_of(std::move(options)), HasSubstr("is no code of 4 or 8 bytes"));
  options = OptionsFor("a.jsonl");
  options.texts = 1;
  EXPECT_THAT(fault_of(std::move(options)), HasSubstr("give 2 to 50000"));
  around.cancellation.Request(ErrorCode::kInterrupted);
  EXPECT_EQ(Calibrate(OptionsFor("a.jsonl"), around.environment()).error().code,
            ErrorCode::kInterrupted);
}

}  // namespace
}  // namespace zhiwen
