#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>

#include "pipeline/evaluate/ranking.h"
#include "zhiwen/evaluation.h"
#include "zhiwen/fingerprint_similarity.h"

namespace zhiwen {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kSchemes[] = {"shingles(channel=exact,feature=shingle(2))", "exact",
                                         "simhash64(channel=exact)"};

struct OwnedPair {
  std::string a, b, relation, corpus;
  PairLabel label;
  LabelledPair view() const { return {a, b, label, relation, corpus}; }
};

// Texts of a few letters, of every length that rows tell apart; others are unchanged or changed.
std::vector<OwnedPair> MakePairs() {
  std::mt19937 random(3);
  std::vector<OwnedPair> pairs;
  for (int i = 0; i < 60; ++i) {
    const size_t length = i % 10 == 0 ? 0 : i % 3 == 0 ? 600 : 30 + random() % 100;
    std::string a;
    for (size_t k = 0; k < length; ++k) a += static_cast<char>('a' + random() % 4);
    std::string b = a;
    for (size_t k = i % 6; k < b.size() && i % 6 > 1; k += 1 + random() % 30) b[k] = 'z';
    const bool is_copy = random() % 2 == 0;
    if (!is_copy && random() % 2 == 0) b.insert(0, "qrst");
    pairs.push_back({a, b, is_copy ? (i % 4 == 0 ? "moved" : "edited") : (i % 5 == 0 ? "hard" : ""),
                     i % 7 == 0   ? ""
                     : i % 2 == 0 ? "news"
                                  : "poems",
                     is_copy ? PairLabel::kCopy : PairLabel::kOther});
  }
  return pairs;
}

Result<Evaluation> Evaluate(const std::vector<OwnedPair>& pairs, size_t at_once, size_t threads) {
  std::vector<NamedScheme> schemes;
  for (const std::string_view name : kSchemes) {
    schemes.push_back({std::string(name), *Scheme::Create(name)});
  }
  const auto executor = MakeThreadPool(threads);
  SchemeEvaluator evaluator(std::move(schemes), SystemClock());
  for (size_t begin = 0; begin < pairs.size(); begin += at_once) {
    std::vector<LabelledPair> batch;
    for (size_t i = begin; i < std::min(begin + at_once, pairs.size()); ++i) {
      batch.push_back(pairs[i].view());
    }
    ZHIWEN_RETURN_IF_ERROR(evaluator.Add(*executor, batch, {}));
  }
  return evaluator.Finish(*executor, {});
}

const EvaluationRow* FindRow(const SchemeEvaluation& scheme, std::string_view corpus,
                             std::string_view relation, std::string_view length) {
  const auto at = std::ranges::find_if(scheme.rows, [&](const EvaluationRow& row) {
    return row.corpus == corpus && row.relation == relation && row.length == length;
  });
  return at == scheme.rows.end() ? nullptr : &*at;
}

// Of the pairs that `is_in` takes, made anew.
template <typename IsIn>
Ranking RankingOf(const std::vector<OwnedPair>& pairs, std::string_view name, IsIn is_in) {
  const auto scheme = *Scheme::Create(name);
  std::vector<float> copies, others;
  for (const OwnedPair& pair : pairs) {
    if (!is_in(pair)) continue;
    const Fingerprint a = *scheme->Compute(pair.a), b = *scheme->Compute(pair.b);
    const double similarity =
        HasValue(a) && HasValue(b)
            ? *CompareFingerprints(a, b, UsualMeasure(scheme->canonical_name(), a), {})
            : 0;
    (pair.label == PairLabel::kCopy ? copies : others).push_back(static_cast<float>(similarity));
  }
  return {copies, others};
}

TEST(SchemeEvaluator, EveryRowHasThePairsThatItSays) {
  const std::vector<OwnedPair> pairs = MakePairs();
  const Evaluation evaluation = *Evaluate(pairs, pairs.size(), 2);
  EXPECT_EQ(evaluation.pairs, pairs.size());
  for (size_t s = 0; s < std::size(kSchemes); ++s) {
    const SchemeEvaluation& scheme = evaluation.schemes[s];
    EXPECT_NE(FindRow(scheme, "news", "edited", ""), nullptr);
    EXPECT_NE(FindRow(scheme, "", "hard", ""), nullptr);
    EXPECT_NE(FindRow(scheme, "poems", "", "500–1999"), nullptr);
    for (const EvaluationRow& row : scheme.rows) {
      const auto is_in = [&](const OwnedPair& pair) {
        const bool is_copy = pair.label == PairLabel::kCopy;
        const size_t size = std::min(pair.a.size(), pair.b.size());
        const std::string_view length = size < 100 ? "<100" : size < 500 ? "100–499" : "500–1999";
        const bool is_shared = pair.corpus.empty() && !is_copy;
        return (row.corpus.empty() || pair.corpus == row.corpus || is_shared) &&
               (row.length.empty() || row.length == length) &&
               (row.relation.empty() || row.relation == pair.relation ||
                (row.relation != "hard" && !is_copy));
      };
      const Ranking whole = RankingOf(pairs, kSchemes[s], [&](const OwnedPair& pair) {
        const bool is_shared = pair.corpus.empty() && pair.label == PairLabel::kOther;
        return row.corpus.empty() || pair.corpus == row.corpus || is_shared;
      });
      const Ranking ranking = RankingOf(pairs, kSchemes[s], is_in);
      SCOPED_TRACE(row.corpus + "/" + row.relation + "/" + row.length);
      EXPECT_EQ(row.copies, ranking.copies());
      EXPECT_EQ(row.others, ranking.others());
      EXPECT_EQ(row.area, ranking.Area());
      ASSERT_TRUE(row.at_best && row.at_source);
      EXPECT_EQ(row.at_best->threshold, *whole.BestThreshold());
      EXPECT_EQ(row.at_best->pairs, ranking.At(*whole.BestThreshold()));
      EXPECT_EQ(row.at_source->pairs, ranking.At(*UsualThreshold(kSchemes[s], scheme.measure)));
      EXPECT_EQ(row.texts, 2 * (row.copies + row.others));
    }
  }
  const SchemeEvaluation& simhash = evaluation.schemes[2];
  EXPECT_EQ(simhash.source_threshold, 61.0 / 64);
  EXPECT_EQ(simhash.measure, "equal_bits");
  const EvaluationRow& all = simhash.rows.front();
  EXPECT_GT(all.texts_without_value, 0);
  EXPECT_EQ(all.value_bytes, (all.texts - all.texts_without_value) * 9) << "a length, 8 bytes";
}

TEST(SchemeEvaluator, FiguresDoNotDependOnThreadsOrBatches) {
  const std::vector<OwnedPair> pairs = MakePairs();
  const auto print = [](Evaluation evaluation) {
    for (SchemeEvaluation& scheme : evaluation.schemes) {
      EXPECT_GT(scheme.bytes_per_second, 0);
      scheme.bytes_per_second = 0;
    }
    return EvaluationToJson(evaluation, {});
  };
  const std::string once = print(*Evaluate(pairs, pairs.size(), 1));
  EXPECT_EQ(print(*Evaluate(pairs, 7, 3)), once);
  EXPECT_THAT(once, HasSubstr(R"("at_source": {)"));
}

TEST(SchemeEvaluator, OfOneCorpusAndNoRelationHasAWholeAndLengths) {
  const std::vector<OwnedPair> pairs = {{"abcdef", "abcdef", "", "", PairLabel::kCopy},
                                        {"abcdef", "uvwxyz", "", "", PairLabel::kOther}};
  const Evaluation evaluation = *Evaluate(pairs, 2, 1);
  ASSERT_EQ(evaluation.schemes[0].rows.size(), 2);
  EXPECT_NE(FindRow(evaluation.schemes[0], "", "", "<100"), nullptr);
  EXPECT_EQ(evaluation.schemes[0].rows[0].area, 1);
  EXPECT_EQ(evaluation.schemes[0].rows[0].copies_by_similarity.back(), 1);
  EXPECT_EQ(evaluation.schemes[0].rows[0].others_by_similarity.front(), 1);
}

TEST(SchemeEvaluator, ABadTextFailsAndCountsNothing) {
  std::vector<NamedScheme> schemes;
  schemes.push_back({"exact", *Scheme::Create("exact")});
  const auto executor = MakeInlineExecutor();
  SchemeEvaluator evaluator(std::move(schemes), SystemClock());
  const LabelledPair good = {"a", "b"}, bad = {"\xFF", "b"};
  const LabelledPair both[] = {good, bad};
  const Status added = evaluator.Add(*executor, both, {});
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, ErrorCode::kUnreadable);
  Cancellation cancellation;
  cancellation.Request(ErrorCode::kInterrupted);
  EXPECT_EQ(evaluator.Add(*executor, std::span(both, 1), cancellation).error().code,
            ErrorCode::kInterrupted);
  EXPECT_EQ(evaluator.Finish(*executor, {})->pairs, 0);
}

// What comes from a corpus is shown and never interpreted.
TEST(RenderEvaluationPage, EscapesNamesAndHasACurveForEachScheme) {
  const std::vector<OwnedPair> pairs = {
      {"abcdef", "abcdef", "<b>moved</b>", "news\"", PairLabel::kCopy},
      {"abcdef", "uvwxyz", "", "news\"", PairLabel::kOther}};
  Evaluation evaluation = *Evaluate(pairs, 2, 1);
  evaluation.skipped.push_back({"imatch", "it needs <df>"});
  const std::string command[] = {"zhiwen", "eval", "schemes", "<x>.jsonl"};
  const std::string page = RenderEvaluationPage(evaluation, command);
  EXPECT_EQ(page.find("<b>moved"), std::string::npos);
  EXPECT_EQ(page.find("<x>"), std::string::npos);
  EXPECT_EQ(page.find("<df>"), std::string::npos);
  EXPECT_EQ(page.find("{{"), std::string::npos);
  EXPECT_THAT(page, HasSubstr("imatch"));
  EXPECT_THAT(page, HasSubstr("aria-labelledby=\"scheme-1\"")) << "each corpus and relation";
  size_t curves = 0;
  for (size_t at = page.find("class=\"curve\""); at != std::string::npos;
       at = page.find("class=\"curve\"", at + 1)) {
    ++curves;
  }
  EXPECT_EQ(curves, std::size(kSchemes));
}

}  // namespace
}  // namespace zhiwen
