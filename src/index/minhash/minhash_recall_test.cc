// Tests that an index finds as large a share of the documents at a resemblance as its plan says.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "fingerprint/one_permutation.h"
#include "index/minhash/minhash_index.h"
#include "support/in_memory_file_system.h"

namespace zhiwen {
namespace {

constexpr size_t kSignatureValues = 128, kPairs = 400;

void AppendSignature(std::vector<uint64_t> set, std::vector<uint32_t>& values) {
  static const OnePermutationMinHash minhash = *OnePermutationMinHash::Create(kSignatureValues);
  std::ranges::sort(set);
  values.resize(values.size() + kSignatureValues);
  minhash.Compute(set, std::span(values).last(kSignatureValues));
}

// Pairs of sets of equal size with `shared` common shingles. The i-th query belongs to the i-th
// document.
struct Trials {
  uint32_t size = 0, shared = 0;
  std::vector<uint32_t> queries, documents;

  Trials(uint32_t size_of_each, uint32_t shared_ones) : size(size_of_each), shared(shared_ones) {
    std::mt19937_64 random(6 + size + shared);
    for (size_t i = 0; i < kPairs; ++i) {
      std::vector<uint64_t> set(size);
      for (uint64_t& shingle : set) shingle = random();
      AppendSignature(set, documents);
      for (size_t j = shared; j < size; ++j) set[j] = random();
      AppendSignature(set, queries);
    }
  }
  double resemblance() const { return shared / (2.0 * size - shared); }
};

// Pairs are independent of one another. A correct index is off by five standard errors in a trial
// less than once in a million.
void ExpectRecall(const MinHashIndexOptions& options, const Trials& trials) {
  if (trials.resemblance() < options.threshold) return;
  InMemoryFileSystem files;
  ASSERT_TRUE(MinHashIndex::Create(files, "index", options));
  const auto writer = *MinHashIndexWriter::Open(files, "index", {});
  MinHashChanges changes(writer->index().plan());
  const SignatureRows documents(trials.documents, kSignatureValues);
  for (uint64_t i = 0; i < kPairs; ++i) changes.Add(i, documents[i]);
  ASSERT_TRUE(writer->Commit(changes));
  const auto answer = writer->index().QueryVerified(
      {trials.queries, kSignatureValues},
      [&](uint32_t query, std::span<const uint64_t> asked, std::span<double> similarities) {
        for (size_t i = 0; i < asked.size(); ++i) {
          similarities[i] = asked[i] == query ? trials.resemblance() : 0;
        }
      });
  ASSERT_TRUE(answer) << answer.error().message;
  const auto found = static_cast<double>(answer->documents.size());
  const double least = writer->index().ExpectedRecall(trials.resemblance());
  const double most = CandidateProbability(writer->index().plan().bands(), trials.resemblance());
  const auto slack = [](double recall) {
    return 5 * std::sqrt(kPairs * recall * (1 - recall)) + 1;
  };
  EXPECT_GE(found, kPairs * least - slack(least)) << trials.resemblance();
  EXPECT_LE(found, kPairs * most + slack(most)) << trials.resemblance();
}

TEST(MinHashRecall, SlowFindsAsManyAsItExpects) {
  const std::vector<Trials> all = {{75, 50}, {75, 60}, {90, 80}, {95, 90}, {9, 8}};
  for (const Trials& trials : all) {
    ExpectRecall({}, trials);
    // Without a filter, the recall equals that of the bands.
    ExpectRecall({.threshold = 0.5,
                  .recall = 0.7,
                  .band_values = 50,
                  .estimates = {.values = 64, .bits = 1},
                  .filter_miss = 0},
                 trials);
  }
}

TEST(MinHashPlan, KeepsWhatItPromisesAtTheThreshold) {
  const MinHashPlan plan = *MinHashPlan::Create({});
  EXPECT_EQ(plan.bands(), (BandPlan{8, 4}));
  EXPECT_GE(plan.ExpectedRecall(0.8, 0), 0.98);
  EXPECT_LT(plan.ExpectedRecall(0.8, 4), plan.ExpectedRecall(0.8, 3));
  EXPECT_EQ(plan.ExpectedRecall(1, 8), 0);
}

TEST(MinHashPlan, RefusesOptionsThatMakeNoSense) {
  for (const MinHashIndexOptions& options : {MinHashIndexOptions{.signature_size = 30},
                                             {.signature_size = 64},
                                             {.filter_miss = 1},
                                             {.threshold = 0},
                                             {.recall = 1},
                                             {.threshold = 0.05},
                                             {.bucket_limit = 0}}) {
    EXPECT_EQ(MinHashPlan::Create(options).error().code, ErrorCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace zhiwen
