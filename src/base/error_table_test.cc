#include <gtest/gtest.h>

#include <set>
#include <string>

#include "zhiwen/result.h"

namespace zhiwen {
namespace {

// The contract of the command line, written out again on purpose (surface: exit status).
TEST(ErrorTable, ExitStatusesAreThoseOfTheContract) {
  EXPECT_EQ(TraitsOf(ErrorCode::kInvalidArgument).exit_status, 2);
  EXPECT_EQ(TraitsOf(ErrorCode::kUnreadable).exit_status, 3);
  EXPECT_EQ(TraitsOf(ErrorCode::kNotFound).exit_status, 4);
  EXPECT_EQ(TraitsOf(ErrorCode::kConflict).exit_status, 5);
  EXPECT_EQ(TraitsOf(ErrorCode::kExhausted).exit_status, 6);
  EXPECT_EQ(TraitsOf(ErrorCode::kUnavailable).exit_status, 7);
  EXPECT_EQ(TraitsOf(ErrorCode::kInternal).exit_status, 70);
  EXPECT_EQ(TraitsOf(ErrorCode::kInterrupted).exit_status, 130);
  EXPECT_EQ(TraitsOf(ErrorCode::kTerminated).exit_status, 143);
}

TEST(ErrorTable, EveryCodeHasOneRowUnderAUniqueName) {
  std::set<std::string_view> names;
  for (const ErrorTraits& row : AllErrorTraits()) {
    EXPECT_EQ(&TraitsOf(row.code), &row);
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_GE(row.http_status, 400) << row.name;
    EXPECT_FALSE(row.python_exception.empty()) << row.name;
  }
  EXPECT_EQ(names.size(), 9u);
}

TEST(ErrorTable, EveryAdviceHasAUniqueName) {
  std::set<std::string_view> names;
  for (size_t i = 0; i <= static_cast<size_t>(Advice::kSetLeastDocuments); ++i) {
    EXPECT_TRUE(names.insert(AdviceName(static_cast<Advice>(i))).second) << i;
  }
  EXPECT_EQ(AdviceName(Advice::kResume), "resume");
}

Result<int> HalfOf(int value) {
  if (value % 2 != 0) return Fail(ErrorCode::kInvalidArgument, "odd", {Advice::kGiveMemory});
  return value / 2;
}

Result<int> QuarterOf(int value) {
  ZHIWEN_ASSIGN_OR_RETURN(const int half, HalfOf(value));
  ZHIWEN_ASSIGN_OR_RETURN(const int quarter, HalfOf(half));
  return quarter;
}

Status CheckQuarter(int value) {
  ZHIWEN_RETURN_IF_ERROR(QuarterOf(value));
  return {};
}

TEST(Result, MacrosPassValuesAndErrorsOn) {
  EXPECT_EQ(QuarterOf(12).value(), 3);
  EXPECT_EQ(QuarterOf(6).error().message, "odd");
  EXPECT_TRUE(CheckQuarter(4).has_value());
  EXPECT_EQ(CheckQuarter(1).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(CheckQuarter(1).error().advice, std::vector{Advice::kGiveMemory});
}

}  // namespace
}  // namespace zhiwen
