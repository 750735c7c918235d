// Every index of resemblance and of containment lists what is true, as much of it as it says, and
// is like a set, whatever is inserted and removed.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fingerprint/one_permutation.h"
#include "index/lsh/brute_force_containment.h"
#include "index/lsh/brute_force_resemblance.h"
#include "index/lsh/containment_ensemble.h"
#include "index/lsh/minhash_index.h"
#include "kernels/kernels.h"

namespace zhiwen {
namespace {

constexpr size_t kValues = 128;

// Sets of shingles, and what indexes are told of them.
struct Sets {
  std::vector<std::vector<uint64_t>> shingles;  // ascending
  std::vector<uint32_t> values, sizes;

  size_t size() const { return shingles.size(); }
  SignatureRows rows() const { return {values, kValues}; }
  SizedSignatures sized() const { return {rows(), sizes}; }

  void Add(std::vector<uint64_t> set) {
    static const OnePermutationMinHash minhash = *OnePermutationMinHash::Create(kValues);
    std::sort(set.begin(), set.end());
    values.resize(values.size() + kValues);
    minhash.Compute(set, std::span(values).last(kValues));
    sizes.push_back(static_cast<uint32_t>(set.size()));
    shingles.push_back(std::move(set));
  }
  Sets Some(std::span<const uint32_t> places) const {
    Sets some;
    for (const uint32_t place : places) {
      const auto row = rows()[place];
      some.values.insert(some.values.end(), row.begin(), row.end());
      some.sizes.push_back(sizes[place]);
      some.shingles.push_back(shingles[place]);
    }
    return some;
  }
};

std::vector<uint64_t> RandomSet(std::mt19937_64& random, size_t size) {
  std::vector<uint64_t> set(size);
  for (uint64_t& shingle : set) shingle = random();
  return set;
}

uint64_t NumberOf(uint64_t place) { return place * 0x9E3779B97F4A7C15; }

std::vector<uint64_t> NumbersOf(std::span<const uint32_t> places) {
  std::vector<uint64_t> numbers;
  for (const uint32_t place : places) numbers.push_back(NumberOf(place));
  return numbers;
}

using Pair = ContainmentIndex::Pair;

// One face for both kinds of indexes.
class Index {
 public:
  virtual ~Index() = default;
  virtual double threshold() const = 0;
  virtual uint64_t size() const = 0;
  virtual uint64_t bytes() const = 0;
  virtual double Similarity(const Pair& pair) const = 0;
  virtual double LeastRecall(const Pair& pair) const = 0;
  virtual double MostRecall(const Pair& /*pair*/) const { return 1; }
  virtual uint64_t Insert(std::span<const uint64_t> documents, const Sets& sets) = 0;
  virtual uint64_t Remove(std::span<const uint64_t> documents, const Sets& sets) = 0;
  virtual SimilarityAnswer Query(const Sets& queries, const SimilarityOf& similarity_of) const = 0;
};

template <typename Resemblance>
class OfResemblance final : public Index {
 public:
  explicit OfResemblance(Resemblance index) : index_(std::move(index)) {}
  double threshold() const override { return index_.threshold(); }
  uint64_t size() const override { return index_.size(); }
  uint64_t bytes() const override { return index_.bytes(); }
  double Similarity(const Pair& pair) const override {
    return pair.shared / (static_cast<double>(pair.query_size) + pair.document_size - pair.shared);
  }
  double LeastRecall(const Pair& pair) const override {
    return index_.ExpectedRecall(Similarity(pair), 0);
  }
  double MostRecall(const Pair& pair) const override {
    if constexpr (std::is_same_v<Resemblance, MinHashIndex>) {
      return CandidateProbability(index_.plan(), Similarity(pair));
    }
    return 1;
  }
  uint64_t Insert(std::span<const uint64_t> documents, const Sets& sets) override {
    return index_.Insert(documents, sets.rows());
  }
  uint64_t Remove(std::span<const uint64_t> documents, const Sets& sets) override {
    return index_.Remove(documents, sets.rows());
  }
  SimilarityAnswer Query(const Sets& queries, const SimilarityOf& similarity_of) const override {
    return index_.QueryVerified(queries.rows(), similarity_of);
  }

 private:
  Resemblance index_;
};

template <typename Containment>
class OfContainment final : public Index {
 public:
  explicit OfContainment(Containment index) : index_(std::move(index)) {}
  double threshold() const override { return index_.threshold(); }
  uint64_t size() const override { return index_.size(); }
  uint64_t bytes() const override { return index_.bytes(); }
  double Similarity(const Pair& pair) const override {
    return pair.shared / static_cast<double>(pair.query_size);
  }
  double LeastRecall(const Pair& pair) const override { return index_.ExpectedRecall(pair); }
  uint64_t Insert(std::span<const uint64_t> documents, const Sets& sets) override {
    return index_.Insert(documents, sets.sized());
  }
  uint64_t Remove(std::span<const uint64_t> documents, const Sets& sets) override {
    return index_.Remove(documents, sets.sized());
  }
  SimilarityAnswer Query(const Sets& queries, const SimilarityOf& similarity_of) const override {
    return index_.QueryVerified(queries.sized(), similarity_of);
  }

 private:
  Containment index_;
};

std::unique_ptr<Index> MakeMinHash(const MinHashIndexOptions& options) {
  return std::make_unique<OfResemblance<MinHashIndex>>(*MinHashIndex::Create(options));
}

std::unique_ptr<Index> MakeEnsemble(const ContainmentEnsembleOptions& options) {
  return std::make_unique<OfContainment<ContainmentEnsemble>>(
      *ContainmentEnsemble::Create(options));
}

struct Implementation {
  std::string name;
  bool is_exact;
  std::function<std::unique_ptr<Index>()> make;
};

const std::vector<Implementation>& Implementations() {
  static const std::vector<Implementation> implementations = {
      {"BruteForceResemblance", true,
       [] {
         return std::make_unique<OfResemblance<BruteForceResemblance>>(
             BruteForceResemblance(0.8, kValues));
       }},
      {"MinHash", false, [] { return MakeMinHash({}); }},
      // Every way of the S-curve, with nothing that could lower it.
      {"MinHashUnfiltered", false,
       [] {
         return MakeMinHash({.threshold = 0.5,
                             .recall = 0.7,
                             .band_values = 50,
                             .estimates = {.values = 64, .bits = 1},
                             .filter_miss = 0});
       }},
      {"BruteForceContainment", true,
       [] {
         return std::make_unique<OfContainment<BruteForceContainment>>(
             BruteForceContainment(0.8, kValues));
       }},
      {"Ensemble", false, [] { return MakeEnsemble({}); }},
      {"EnsembleOfFewSizes", false,
       [] {
         return MakeEnsemble({.threshold = 0.6, .rows = {1, 3}, .bounds = {50, 400, 1500}});
       }},
  };
  return implementations;
}

class EveryLshIndex : public testing::TestWithParam<size_t> {
 protected:
  const Implementation& implementation() const { return Implementations()[GetParam()]; }
};

INSTANTIATE_TEST_SUITE_P(All, EveryLshIndex, testing::Range(size_t{0}, Implementations().size()),
                         [](const testing::TestParamInfo<size_t>& index) {
                           return Implementations()[index.param].name;
                         });

// Families of sets that share some or most of a base with one another, and longer ones around it.
const Sets& Families() {
  static const Sets families = [] {
    std::mt19937_64 random(3);
    Sets sets;
    for (int family = 0; family < 25; ++family) {
      const auto base = RandomSet(random, 15 + random() % 200);
      for (const double changed : {0.0, 0.0, 0.02, 0.05, 0.1, 0.15, 0.3, 0.7}) {
        auto set = base;
        const auto count = static_cast<size_t>(changed * static_cast<double>(base.size()));
        for (size_t i = 0; i < count; ++i) set[i] = random();
        sets.Add(set);
        if (changed > 0.1) continue;
        const auto more = RandomSet(random, base.size() * (random() % 12));
        set.insert(set.end(), more.begin(), more.end());
        sets.Add(set);
      }
    }
    sets.Add({});
    return sets;
  }();
  return families;
}

Pair PairOf(const Sets& sets, uint32_t query, uint32_t document) {
  const auto& a = sets.shingles[query];
  const auto& b = sets.shingles[document];
  const size_t shared = ActiveKernels().intersection_size(a.data(), a.size(), b.data(), b.size());
  return {sets.sizes[query], sets.sizes[document], static_cast<uint32_t>(shared)};
}

// Asks for some sets; the answer is that of the definition, or a part of it.
void ExpectTrueAnswer(const Index& index, const std::set<uint32_t>& there,
                      const std::vector<uint32_t>& queries, bool is_exact) {
  const Sets& sets = Families();
  SimilarityAnswer expected;
  size_t certain = 0;
  for (uint32_t q = 0; q < queries.size(); ++q) {
    for (const uint32_t place : there) {
      const Pair pair = PairOf(sets, queries[q], place);
      if (pair.shared == 0 || index.Similarity(pair) < index.threshold()) continue;
      expected.documents.push_back({q, NumberOf(place), index.Similarity(pair)});
      if (index.LeastRecall(pair) > 1 - 1e-9) ++certain;
    }
  }
  SortDocuments(expected);
  const SimilarityAnswer answer = index.Query(
      sets.Some(queries),
      [&](uint32_t query, std::span<const uint64_t> documents, std::span<double> similarities) {
        for (size_t i = 0; i < documents.size(); ++i) {
          const auto place = static_cast<uint32_t>(documents[i] * 0xF1DE83E19937733D);
          ASSERT_TRUE(there.contains(place));
          similarities[i] = index.Similarity(PairOf(sets, queries[query], place));
        }
      });
  EXPECT_EQ(answer.is_exact, is_exact);
  EXPECT_FALSE(answer.are_estimates);
  EXPECT_TRUE(answer.truncated.empty());
  EXPECT_GE(answer.asked, answer.documents.size());
  if (is_exact) {
    EXPECT_EQ(answer.documents, expected.documents);
    return;
  }
  EXPECT_GE(answer.documents.size(), certain);
  size_t next = 0;  // the answer is what is expected, in its order, less some
  for (const SimilarDocument& found : answer.documents) {
    while (next < expected.documents.size() && !(expected.documents[next] == found)) ++next;
    ASSERT_LT(next++, expected.documents.size());
  }
}

TEST_P(EveryLshIndex, IsLikeASetWhateverIsInsertedAndRemoved) {
  const Sets& sets = Families();
  const auto index = implementation().make();
  std::mt19937_64 random(4);
  std::set<uint32_t> there;
  const auto some = [&](size_t count) {
    std::set<uint32_t> places;
    while (places.size() < count) places.insert(static_cast<uint32_t>(random() % sets.size()));
    return std::vector<uint32_t>(places.begin(), places.end());
  };
  for (int round = 0; round < 12; ++round) {
    const auto places = some(random() % 150);
    const size_t before = there.size();
    if (round % 3 != 2) {
      there.insert(places.begin(), places.end());
      EXPECT_EQ(index->Insert(NumbersOf(places), sets.Some(places)), there.size() - before);
    } else {
      for (const uint32_t place : places) there.erase(place);
      EXPECT_EQ(index->Remove(NumbersOf(places), sets.Some(places)), before - there.size());
    }
    ASSERT_EQ(index->size(), there.size());
    ExpectTrueAnswer(*index, there, some(20), implementation().is_exact);
  }
  const std::vector<uint32_t> all(there.begin(), there.end());
  EXPECT_EQ(index->Remove(NumbersOf(all), sets.Some(all)), all.size());
  EXPECT_EQ(index->size(), 0);
  ExpectTrueAnswer(*index, {}, some(20), implementation().is_exact);
  const uint64_t bytes = index->bytes();
  EXPECT_EQ(index->Insert(NumbersOf(all), sets.Some(all)), all.size());
  if (implementation().is_exact) return;
  EXPECT_EQ(index->bytes(), bytes);  // what is free is used first
}

TEST_P(EveryLshIndex, RemovesNothingWithAnotherSignature) {
  const auto index = implementation().make();
  std::mt19937_64 random(5);
  Sets sets;
  sets.Add(RandomSet(random, 100));
  const std::vector<uint64_t> numbers = {7};
  EXPECT_EQ(index->Insert(numbers, sets), 1);
  EXPECT_EQ(index->Insert(numbers, sets), 0);
  for (size_t i = 0; i < 30; ++i) {
    Sets other = sets;
    ++other.values[i];
    EXPECT_EQ(index->Remove(numbers, other), 0) << i;
  }
  Sets empty;
  empty.Add({});
  EXPECT_EQ(index->Remove(numbers, empty), 0);
  EXPECT_EQ(index->size(), 1);
  EXPECT_EQ(index->Remove(numbers, sets), 1);
}

struct Trials {
  Pair pair;
  Sets queries, documents;  // the i-th document goes with the i-th query
};

const std::vector<Trials>& AllTrials() {
  static const std::vector<Trials> all = [] {
    std::mt19937_64 random(6);
    std::vector<Trials> made;
    for (const Pair pair : {Pair{75, 75, 50},
                            {75, 75, 60},
                            {90, 90, 80},
                            {95, 95, 90},
                            {9, 9, 8},
                            {50, 60, 40},
                            {50, 200, 40},
                            {50, 450, 40},
                            {50, 450, 48},
                            {50, 1600, 40},
                            {50, 3100, 40}}) {
      Trials& trials = made.emplace_back(Trials{pair, {}, {}});
      for (size_t i = 0; i < 400; ++i) {
        auto set = RandomSet(random, pair.document_size);
        trials.documents.Add(set);
        set.resize(pair.query_size);
        for (size_t j = pair.shared; j < set.size(); ++j) set[j] = random();
        trials.queries.Add(set);
      }
    }
    return made;
  }();
  return all;
}

// Pairs are independent of one another; a true index is off by five standard errors in a shape less
// than once in a million.
TEST_P(EveryLshIndex, FindsAsManyAsItExpects) {
  for (const Trials& trials : AllTrials()) {
    const auto index = implementation().make();
    const double similarity = index->Similarity(trials.pair);
    if (similarity < index->threshold()) continue;
    const size_t count = trials.queries.size();
    std::vector<uint64_t> numbers(count);
    for (size_t i = 0; i < count; ++i) numbers[i] = i;
    EXPECT_EQ(index->Insert(numbers, trials.documents), count);
    const SimilarityAnswer answer = index->Query(
        trials.queries,
        [&](uint32_t query, std::span<const uint64_t> documents, std::span<double> similarities) {
          for (size_t i = 0; i < documents.size(); ++i) {
            similarities[i] = documents[i] == query ? similarity : 0;
          }
        });
    const auto n = static_cast<double>(count);
    const auto found = static_cast<double>(answer.documents.size());
    const double least = index->LeastRecall(trials.pair);
    const double most = index->MostRecall(trials.pair);
    const auto slack = [&](double recall) { return 5 * std::sqrt(n * recall * (1 - recall)) + 1; };
    EXPECT_GE(found, n * least - slack(least)) << trials.pair.document_size << " " << similarity;
    EXPECT_LE(found, n * most + slack(most)) << trials.pair.document_size << " " << similarity;
  }
}

TEST(MinHashIndex, KeepsWhatItPromisesAtTheThreshold) {
  const MinHashIndex index = *MinHashIndex::Create({});
  EXPECT_EQ(index.plan(), (BandPlan{8, 4}));
  EXPECT_GE(index.ExpectedRecall(0.8), 0.98);
  EXPECT_LT(index.ExpectedRecall(0.8, 4), index.ExpectedRecall(0.8, 3));
  EXPECT_EQ(index.ExpectedRecall(1, 8), 0);
}

TEST(ContainmentEnsemble, KeepsWhatItPromisesUpToTheLengthsItSays) {
  ContainmentEnsemble index = *ContainmentEnsemble::Create({});
  std::mt19937_64 random(7);
  for (const uint32_t times : {1, 2, 4, 8, 16, 32, 64}) {
    Sets sets;
    sets.Add(RandomSet(random, 100));
    sets.sizes[0] = 64 * times;
    EXPECT_EQ(index.Insert(std::vector<uint64_t>{times}, sets.sized()), 1);
    const double recall = index.ExpectedRecall({64, 64 * times, 52});
    EXPECT_GE(recall, times <= 32 ? 0.95 : 0.8) << times;
  }
}

TEST(MinHashIndex, SaysWhenABucketHasMoreThanItLooksAt) {
  MinHashIndex index = *MinHashIndex::Create({.bucket_limit = 50});
  std::mt19937_64 random(8);
  Sets sets;
  sets.Add(RandomSet(random, 100));
  const std::vector<uint64_t> other = {999};
  EXPECT_EQ(index.Insert(other, sets.rows()), 1);
  sets.Add(RandomSet(random, 100));
  const std::vector<uint32_t> equal(500, 1);
  std::vector<uint64_t> numbers(equal.size());
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
  EXPECT_EQ(index.Insert(numbers, sets.Some(equal).rows()), 500);
  const auto all_equal = [](uint32_t, std::span<const uint64_t>, std::span<double> similarities) {
    std::fill(similarities.begin(), similarities.end(), 1.0);
  };
  SimilarityAnswer answer = index.QueryVerified(sets.rows(), all_equal);
  EXPECT_EQ(answer.truncated, (std::vector<TruncatedQuery>{{1, index.plan().bands}}));
  EXPECT_EQ(answer.documents[0], (SimilarDocument{0, 999, 1}));
  EXPECT_GE(answer.documents.size(), 51);
  EXPECT_LE(answer.documents.size(), 1 + 50 * index.plan().bands);
  EXPECT_EQ(index.Remove(std::span(numbers).first(450), sets.Some(equal).rows()), 450);
  answer = index.QueryEstimates(sets.rows());
  EXPECT_TRUE(answer.truncated.empty());
  EXPECT_TRUE(answer.are_estimates);
  EXPECT_FALSE(answer.is_exact);
  EXPECT_EQ(answer.documents.size(), 51);
  EXPECT_EQ(answer.documents[1].similarity, 1);
}

// At defaults, for a number of documents whose bits fill huge pages. What tables leave of theirs is
// 12 bytes a document here, and 4 of a million.
TEST(MinHashIndex, TakesNoMoreMemoryThanItSays) {
  MinHashIndex index = *MinHashIndex::Create({});
  uint64_t random = 9;
  std::vector<uint32_t> signature(kValues);
  constexpr uint64_t kDocuments = 1 << 17;
  for (uint64_t document = 0; document < kDocuments; ++document) {
    for (uint32_t& value : signature)
      value = static_cast<uint32_t>((random = random * 0x5851F42D4C957F2D + 1) >> 32);
    index.Insert({&document, 1}, {signature, kValues});
  }
  EXPECT_EQ(index.size(), kDocuments);
  EXPECT_LE(index.bytes(), 135 * kDocuments);
}

TEST(MinHashIndex, RefusesOptionsThatMakeNoSense) {
  for (const MinHashIndexOptions& options : {MinHashIndexOptions{.signature_size = 30},
                                             {.signature_size = 64},
                                             {.filter_miss = 1},
                                             {.threshold = 0},
                                             {.recall = 1},
                                             {.threshold = 0.05},
                                             {.bucket_limit = 0}}) {
    EXPECT_EQ(MinHashIndex::Create(options).error().code, ErrorCode::kInvalidArgument);
  }
}

TEST(ContainmentEnsemble, RefusesOptionsThatMakeNoSense) {
  for (const ContainmentEnsembleOptions& options : {ContainmentEnsembleOptions{.threshold = 1.1},
                                                    {.recall = 0},
                                                    {.signature_size = 64},
                                                    {.rows = {}},
                                                    {.rows = {0, 1}},
                                                    {.rows = {2, 2}},
                                                    {.rows = {200}},
                                                    {.bounds = {9, 9}},
                                                    {.filter_miss = -1},
                                                    {.bucket_limit = 0}}) {
    EXPECT_EQ(ContainmentEnsemble::Create(options).error().code, ErrorCode::kInvalidArgument);
  }
}

TEST(EquiDepthBounds, CutSizesIntoEqualShares) {
  EXPECT_EQ(EquiDepthBounds({9, 1, 5, 3, 7, 100}, 3), (std::vector<uint32_t>{3, 7, 100}));
  EXPECT_EQ(EquiDepthBounds({4, 4, 4, 8}, 4), (std::vector<uint32_t>{4, 8}));
  EXPECT_TRUE(EquiDepthBounds({}, 4).empty());
}

}  // namespace
}  // namespace zhiwen
