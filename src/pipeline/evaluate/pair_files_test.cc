#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/batches/batch_test_support.h"
#include "zhiwen/evaluation.h"

namespace zhiwen {
namespace {

using ::testing::HasSubstr;

Result<Evaluation> EvaluatePairs(const PairFileOptions& options, BatchSurroundings& around) {
  std::vector<NamedScheme> schemes;
  schemes.push_back({"exact", *Scheme::Create("exact")});
  return EvaluatePairFiles(options, std::move(schemes), around.environment());
}

TEST(PairFiles, UsualWordsAreLabelsInAnyCase) {
  BatchSurroundings around(3);
  around.files.Put(
      "a.csv",
      "a,b,label\n一,一,TRUE\n一,二, dup \n一,二,0\n一,二,Negative\n一,二,perhaps\n,x,1\n");
  const auto evaluation = EvaluatePairs({.inputs = {.paths = {"a.csv"}}}, around);
  ASSERT_TRUE(evaluation) << evaluation.error().message;
  const EvaluationRow& all = evaluation->schemes.front().rows.front();
  EXPECT_EQ(all.copies, 2u);
  EXPECT_EQ(all.others, 2u);
  EXPECT_TRUE(around.warned_of("say with copy_labels which mean a copy"));
  EXPECT_TRUE(around.warned_of("no field \"a\", or nothing in it; name it with a_field"));
  EXPECT_TRUE(around.warned_of("2 of 6 records have no pair"));
}

TEST(PairFiles, LabelsOfCopiesCanBeNamed) {
  BatchSurroundings around;
  around.files.Put("a.csv", "x,y,kind\n一,一,near\n一,二,far\n");
  PairFileOptions options{.inputs = {.paths = {"a.csv"}}, .copy_labels = {"near"}};
  options.fields.a.name = "x";
  options.fields.b.name = "y";
  options.fields.label.name = "kind";
  const auto evaluation = EvaluatePairs(options, around);
  ASSERT_TRUE(evaluation) << evaluation.error().message;
  EXPECT_EQ(evaluation->schemes.front().rows.front().copies, 1u);
}

TEST(PairFiles, ATextAndAStopAreErrors) {
  BatchSurroundings around;
  around.files.Put("a.txt", "x");
  around.files.Put("a.csv", "a,b,label\n一,一,1\n");
  EXPECT_THAT(EvaluatePairs({.inputs = {.paths = {"a.txt"}}}, around).error().message,
              HasSubstr("a text is no pair"));
  around.cancellation.Request(ErrorCode::kInterrupted);
  EXPECT_EQ(EvaluatePairs({.inputs = {.paths = {"a.csv"}}}, around).error().code,
            ErrorCode::kInterrupted);
}

}  // namespace
}  // namespace zhiwen
