#include "index/phoneme_filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace zhiwen {
namespace {

// Texts of a language: phonemes are as frequent in all, but for chance and for what is changed.
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

TEST(PhonemeFilter, ExcludesNothingThatTheModelsAccept) {
  std::mt19937_64 random(1);
  std::vector<PhonemeCounts> texts;
  PhonemeFilter filter;
  for (int i = 0; i < 700; ++i) {
    texts.push_back(DrawText(random, 5 + random() % 300));
    if (i % 3 == 0) texts.back() = texts[random() % texts.size()];  // the same
    if (i % 5 == 0) texts.back().Add(DrawText(random, 3));          // and a little more
    filter.Add(QuantisePhonemes(texts.back()));
  }
  ASSERT_EQ(filter.size(), texts.size());
  size_t accepted = 0, candidates_of_all = 0, missed = 0;
  for (const PhonemeCounts& query : texts) {
    PhonemeModel model;
    // Thresholds that pairs come close to.
    const PhonemeTriple near = ComputeCosines(query, texts[random() % texts.size()]);
    if (random() % 2 == 0) {
      model.thresholds = {near[0] - 1e-12, near[1] - 1e-12, near[2] - 1e-12};
      model.similarity = model.Similarity(near) - 1e-12;
    }
    for (const PhonemeFilter::Model which :
         {PhonemeFilter::Model::kThresholds, PhonemeFilter::Model::kSimilarity}) {
      std::vector<uint32_t> candidates;
      filter.Query(QuantisePhonemes(query), model, which, candidates);
      ASSERT_TRUE(std::ranges::is_sorted(candidates));
      candidates_of_all += candidates.size();
      for (uint32_t i = 0; i < texts.size(); ++i) {
        const PhonemeTriple cosines = ComputeCosines(query, texts[i]);
        const bool is_accepted = which == PhonemeFilter::Model::kThresholds ? model.Model1(cosines)
                                                                            : model.Model2(cosines);
        accepted += is_accepted ? 1 : 0;
        missed += is_accepted && !std::ranges::binary_search(candidates, i) ? 1 : 0;
      }
    }
  }
  EXPECT_EQ(missed, 0u);
  EXPECT_GT(accepted, texts.size());
  // And little that they do not.
  EXPECT_LT(static_cast<double>(candidates_of_all), 1.2 * static_cast<double>(accepted));
}

TEST(PhonemeFilter, OfNoPhonemesFindsNone) {
  PhonemeFilter filter;
  filter.Add(QuantisePhonemes({}));
  std::vector<uint32_t> candidates = {7};
  filter.Query(QuantisePhonemes({}), {}, PhonemeFilter::Model::kSimilarity, candidates);
  EXPECT_TRUE(candidates.empty());
  std::mt19937_64 random(1);
  filter.Query(QuantisePhonemes(DrawText(random, 50)), {}, PhonemeFilter::Model::kThresholds,
               candidates);
  EXPECT_TRUE(candidates.empty());
}

}  // namespace
}  // namespace zhiwen
