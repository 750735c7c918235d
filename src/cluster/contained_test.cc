#include "cluster/contained.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <random>
#include <utility>

#include "index/joins/containment_pairs.h"
#include "index/joins/sampled_shingles.h"
#include "index/thresholds/containment_threshold.h"
#include "match/similarity.h"

namespace zhiwen {
namespace {

constexpr double kThreshold = 0.8;

// Holds sets in rank order, the largest first.
class Corpus {
 public:
  void Add(std::vector<uint64_t> set) {
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
    sets_.push_back(std::move(set));
  }

  // Ranks the documents. Ties are broken by value, and equal sets collapse as they do in the
  // program before this step.
  void Rank() {
    std::sort(sets_.begin(), sets_.end(), [](const auto& a, const auto& b) {
      return a.size() != b.size() ? a.size() > b.size() : a < b;
    });
    sets_.erase(std::unique(sets_.begin(), sets_.end()), sets_.end());
  }

  uint32_t size() const { return static_cast<uint32_t>(sets_.size()); }
  std::vector<std::span<const uint64_t>> views() const { return {sets_.begin(), sets_.end()}; }
  const std::vector<uint64_t>& operator[](size_t i) const { return sets_[i]; }

 private:
  std::vector<std::vector<uint64_t>> sets_;
};

// A text is a sequence of numbers; its shingles are hashes of five in a row.
using Text = std::vector<uint64_t>;

uint64_t Mix(uint64_t value) {
  value = (value ^ (value >> 32)) * 0xBF58476D1CE4E5B9;
  return value ^ (value >> 29);
}

std::vector<uint64_t> ShinglesOf(const Text& text) {
  std::vector<uint64_t> shingles;
  for (size_t i = 0; i + 5 <= text.size(); ++i) {
    uint64_t hash = 0;
    for (size_t j = i; j < i + 5; ++j) hash = Mix(hash * 31 + text[j] + 0x9E3779B97F4A7C15);
    shingles.push_back(hash);
  }
  return shingles;
}

class Writer {
 public:
  explicit Writer(uint64_t seed) : random_(seed) {}

  uint64_t Below(uint64_t limit) { return random_() % limit; }
  Text Fresh(size_t length) {
    Text text(length);
    for (uint64_t& symbol : text) symbol = random_();
    return text;
  }
  Text Cut(const Text& text, size_t length) {
    const auto begin = text.begin() + static_cast<std::ptrdiff_t>(Below(text.size() - length + 1));
    return {begin, begin + static_cast<std::ptrdiff_t>(length)};
  }
  // Changes about one symbol in `every`.
  Text Edit(Text text, uint64_t every) {
    for (uint64_t& symbol : text) {
      if (Below(every) == 0) symbol = random_();
    }
    return text;
  }

 private:
  std::mt19937_64 random_;
};

Text operator+(Text a, const Text& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// Makes originals with crops, halves, concatenations, edited quotes and quotes of quotes, and
// unrelated documents.
Corpus QuotingCorpus(uint64_t seed, size_t originals) {
  Writer writer(seed);
  Corpus corpus;
  Text last = writer.Fresh(200);
  for (size_t i = 0; i < originals; ++i) {
    const Text text = writer.Fresh(60 + writer.Below(600));
    corpus.Add(ShinglesOf(text));
    corpus.Add(ShinglesOf(writer.Cut(text, text.size() / 2)));
    corpus.Add(ShinglesOf(text + last));
    const Text quote = writer.Fresh(writer.Below(30)) + writer.Cut(text, text.size() / 3) +
                       writer.Fresh(writer.Below(30));
    corpus.Add(ShinglesOf(writer.Edit(quote, 15 + writer.Below(60))));
    corpus.Add(ShinglesOf(writer.Cut(quote, quote.size() / 2) + writer.Fresh(writer.Below(8))));
    corpus.Add(ShinglesOf(writer.Cut(text, 10 + writer.Below(20))));
    corpus.Add(ShinglesOf(writer.Fresh(writer.Below(300))));
    last = text;
  }
  corpus.Rank();
  return corpus;
}

// Makes texts each contained in the next larger one but in none beyond: a ⊂ b ⊂ c.
Corpus ChainCorpus() {
  Writer writer(3);
  Corpus corpus;
  Text text = writer.Fresh(60);
  for (int i = 0; i < 12; ++i) {
    corpus.Add(ShinglesOf(text));
    text = writer.Edit(text, 40) + writer.Fresh(20);
  }
  corpus.Rank();
  return corpus;
}

// Makes documents which mostly consist of one shared frame.
Corpus FrameCorpus(size_t documents, size_t frame_length, size_t own_length) {
  Writer writer(4);
  Corpus corpus;
  const Text frame = writer.Fresh(frame_length);
  for (size_t i = 0; i < documents; ++i) {
    corpus.Add(ShinglesOf(frame + writer.Fresh(own_length + writer.Below(own_length))));
  }
  corpus.Rank();
  return corpus;
}

struct Found {
  std::vector<uint32_t> keepers;
  GreedyDecision decision;
  CandidateCounts candidates;
};

// Runs all steps from sets to decisions.
Found Decide(const Corpus& corpus, const ShingleSampling& sampling,
             const ContainmentJoinOptions& options, size_t threads) {
  std::vector<SampleRow> rows;
  std::vector<uint32_t> required(corpus.size(), 0);
  for (uint32_t document = 0; document < corpus.size(); ++document) {
    const ShingleSample sample = sampling.Sample(corpus[document]);
    for (size_t i = 0; i < sample.answers.size(); ++i) {
      rows.push_back({sample.answers[i], document,
                      i < sample.asks.size() ? SamplePart::kAsks : SamplePart::kAnswers});
    }
    required[document] = sampling.RequiredAnswers(corpus[document].size(), sample.asks.size());
  }
  std::sort(rows.begin(), rows.end());
  std::vector<ContainmentPair> pairs;
  ContainmentJoin join(options, [&](std::span<const ContainmentPair> some) -> Status {
    pairs.insert(pairs.end(), some.begin(), some.end());
    return {};
  });
  EXPECT_TRUE(join.Add(rows));
  EXPECT_TRUE(join.Finish());
  std::vector<CountedPair> counted;
  CountPairs(pairs, counted);
  ContainerLists lists;
  CandidateSelector selector(
      [&](uint32_t document) { return required[document]; },
      [&](uint32_t document, std::span<const uint32_t> containers) -> Status {
        lists.Append(document, containers);
        return {};
      });
  EXPECT_TRUE(selector.Add(counted));
  EXPECT_TRUE(selector.Finish());
  EXPECT_EQ(lists.pairs(), selector.counts().candidate_pairs);
  const auto executor = MakeThreadPool(threads);
  std::atomic<uint64_t> calls = 0;
  GreedyDecision decision = DecideContainedByLists(
      lists, corpus.size(),
      [&](size_t worker, uint32_t document, uint32_t kept) {
        EXPECT_LT(worker, threads);
        EXPECT_LT(kept, document);
        ++calls;
        return SetContains(corpus[document], corpus[kept], sampling.threshold());
      },
      *executor);
  EXPECT_EQ(decision.verified_pairs, calls);
  return {decision.keepers, decision, selector.counts()};
}

// Checks Theorem A: every removed document is contained in its keeper, which is kept.
void ExpectNothingWrong(const Corpus& corpus, double threshold,
                        const std::vector<uint32_t>& keepers) {
  for (uint32_t document = 0; document < corpus.size(); ++document) {
    const uint32_t keeper = keepers[document];
    if (keeper == kKept) continue;
    ASSERT_LT(keeper, document);
    EXPECT_EQ(keepers[keeper], kKept);
    EXPECT_GE(corpus[document].size(), kLeastContainedSize);
    EXPECT_GE(corpus[keeper].size(), corpus[document].size());
    EXPECT_GE(ComputeOverlap(corpus[document], corpus[keeper]).ContainmentOfA(), threshold);
  }
}

size_t RemovedOf(const std::vector<uint32_t>& keepers) {
  return keepers.size() - static_cast<size_t>(std::count(keepers.begin(), keepers.end(), kKept));
}

TEST(Contained, TheRuleFollowsItsWords) {
  Corpus corpus;
  std::vector<uint64_t> numbers(100);
  for (uint64_t i = 0; i < 100; ++i) numbers[i] = 1000 + i;
  const auto range = [&](size_t begin, size_t end) {
    return std::vector<uint64_t>(numbers.begin() + static_cast<std::ptrdiff_t>(begin),
                                 numbers.begin() + static_cast<std::ptrdiff_t>(end));
  };
  corpus.Add(range(0, 60));   // kept
  corpus.Add(range(10, 69));  // 50 / 59 in the first: removed
  corpus.Add(range(20, 75));  // 40 / 55 in the first, 49 / 55 in the second, which is gone: kept
  corpus.Add(range(40, 65));  // 20 / 25 in the first: removed for it, though 25 / 25 in the third
  corpus.Add(range(56, 76));  // 19 / 20 in the third
  corpus.Add(range(0, 19));   // too short
  EXPECT_EQ(DecideContained(corpus.views(), kThreshold),
            (std::vector<uint32_t>{kKept, 0, kKept, 0, 2, kKept}));
}

TEST(Contained, SlowTheFastFormEqualsTheRuleWhenEveryShingleAsks) {
  std::vector<Corpus> corpora = {Corpus(), ChainCorpus(), FrameCorpus(150, 100, 25),
                                 FrameCorpus(150, 60, 60)};
  for (uint64_t seed = 0; seed < 4; ++seed) corpora.push_back(QuotingCorpus(seed, 40));
  for (size_t i = 0; i < corpora.size(); ++i) {
    for (const double threshold : {0.1, 0.5, 0.8, 1.0}) {
      const Corpus& corpus = corpora[i];
      const auto expected = DecideContained(corpus.views(), threshold);
      const ShingleSampling exact = *ShingleSampling::CreateExact(threshold);
      const ContainmentJoinOptions no_cut = {.max_frequency = UINT32_MAX};
      const Found found = Decide(corpus, exact, no_cut, 1);
      EXPECT_EQ(found.keepers, expected) << i << ' ' << threshold;
      for (const size_t threads : {2u, 4u}) {
        const Found again = Decide(corpus, exact, no_cut, threads);
        EXPECT_EQ(again.keepers, expected) << i << ' ' << threshold << ' ' << threads;
        EXPECT_EQ(again.decision.verified_pairs, found.decision.verified_pairs);
        EXPECT_EQ(again.decision.candidate_pairs, found.decision.candidate_pairs);
      }
    }
  }
}

TEST(Contained, OfAChainEveryOtherStaysWhenNeighboursAloneAreContained) {
  const Corpus corpus = ChainCorpus();
  const auto keepers = DecideContained(corpus.views(), 0.7);
  EXPECT_GT(RemovedOf(keepers), 3u);
  EXPECT_LT(RemovedOf(keepers), corpus.size() - 2u);
}

TEST(Contained, SlowSampledShinglesLoseNoMoreThanStatedAndRemoveNothingWrongly) {
  const ShingleSampling sampling = *ShingleSampling::Create({kThreshold});
  size_t removed = 0, missed = 0;
  double expected_misses = 0;
  for (uint64_t seed = 10; seed < 18; ++seed) {
    const Corpus corpus = QuotingCorpus(seed, 150);
    const Found found = Decide(corpus, sampling, {}, 2);
    ExpectNothingWrong(corpus, kThreshold, found.keepers);
    const auto rule = DecideContained(corpus.views(), kThreshold);
    removed += RemovedOf(rule);
    for (uint32_t document = 0; document < corpus.size(); ++document) {
      if (rule[document] == kKept) continue;
      missed += found.keepers[document] == kKept ? 1 : 0;
      const SetOverlap overlap = ComputeOverlap(corpus[document], corpus[rule[document]]);
      expected_misses += sampling.MissProbability(overlap.a, overlap.shared);
    }
  }
  EXPECT_GT(removed, 4000u);
  EXPECT_LE(static_cast<double>(missed), expected_misses + 4 * std::sqrt(expected_misses) + 1);
  EXPECT_LE(static_cast<double>(missed), 0.003 * static_cast<double>(removed));
}

TEST(Contained, SlowTenThousandSmallTextsAreFoundInOneHugeText) {
  Writer writer(21);
  const Text huge = writer.Fresh(400'000);
  Corpus corpus;
  corpus.Add(ShinglesOf(huge));
  const size_t small = 10'000;
  for (size_t i = 0; i < small; ++i) {
    corpus.Add(ShinglesOf(writer.Cut(huge, 24 + writer.Below(60)) + writer.Fresh(i % 5)));
  }
  corpus.Rank();
  const ShingleSampling sampling = *ShingleSampling::Create({kThreshold});
  const Found found = Decide(corpus, sampling, {}, 2);
  ExpectNothingWrong(corpus, kThreshold, found.keepers);
  const auto missed = static_cast<double>(corpus.size() - 1u - RemovedOf(found.keepers));
  EXPECT_LE(missed, 0.003 * static_cast<double>(small));
}

// In documents that are mostly a common frame, every query meets hot shingles, and the first
// documents of a hot shingle are the keepers.
TEST(Contained, ACommonFrameIsCutAndStillFindsTheLargestDocuments) {
  const ShingleSampling sampling = *ShingleSampling::Create({kThreshold});
  const Corpus corpus = FrameCorpus(1500, 200, 12);
  const Found found = Decide(corpus, sampling, {.max_frequency = 100, .hot_containers = 8}, 2);
  ExpectNothingWrong(corpus, kThreshold, found.keepers);
  EXPECT_EQ(found.keepers, DecideContained(corpus.views(), kThreshold));
  EXPECT_GT(found.candidates.saturated_documents, 1000u);
  EXPECT_LE(found.candidates.candidate_pairs, 1500u * 16);
}

// A frame of less than half of a document saturates no document, so quotes are found as without the
// cut.
TEST(Contained, QuotesAreFoundUnderACommonFrame) {
  Writer writer(22);
  const Text frame = writer.Fresh(60);
  Corpus corpus;
  for (size_t i = 0; i < 1000; ++i) {
    const Text text = writer.Fresh(150 + writer.Below(300));
    corpus.Add(ShinglesOf(frame + text));
    corpus.Add(ShinglesOf(frame + writer.Cut(text, 120)));
  }
  corpus.Rank();
  const ShingleSampling sampling = *ShingleSampling::Create({kThreshold});
  const ContainmentJoinOptions options = {.max_frequency = 100, .hot_containers = 8};
  const Found found = Decide(corpus, sampling, options, 2);
  ExpectNothingWrong(corpus, kThreshold, found.keepers);
  EXPECT_GE(RemovedOf(found.keepers), 995u);
  EXPECT_LT(found.candidates.saturated_documents, 40u);
  EXPECT_LT(found.decision.candidate_pairs, 20'000u);
}

TEST(Contained, AStopIsHeardAndDocumentsOutsideTheListsAreKept) {
  ContainerLists lists;
  lists.Append(5, std::vector<uint32_t>{2, 3});
  const auto executor = MakeInlineExecutor();
  const MatchCheck always = [](size_t, uint32_t, uint32_t) { return true; };
  const auto decision = DecideContainedByLists(lists, 8, always, *executor);
  EXPECT_EQ(decision.keepers,
            (std::vector<uint32_t>{kKept, kKept, kKept, kKept, kKept, 2, kKept, kKept}));
  uint64_t seen = 0;
  const auto stopped =
      DecideContainedByLists(lists, 8, always, *executor, [&](uint64_t, uint64_t total) {
        seen = total;
        return false;
      });
  EXPECT_TRUE(stopped.stopped);
  EXPECT_EQ(seen, 3u);
}

}  // namespace
}  // namespace zhiwen
