#include "pipeline/library/precedence.h"

#include <gtest/gtest.h>

namespace zhiwen {
namespace {

TEST(PrecedenceOfDates, IsKnownWhereOneEndsBeforeTheOtherBegins) {
  EXPECT_EQ(ComparePrecedence("2024-03-01", "2024-03-02"), Precedence::kOurs);
  EXPECT_EQ(ComparePrecedence("2024年3月2日", "20240301"), Precedence::kTheirs);
  EXPECT_EQ(ComparePrecedence("2023", "2024-01-01"), Precedence::kOurs);
  EXPECT_EQ(ComparePrecedence("2024-02", "2024-03"), Precedence::kOurs);
  EXPECT_EQ(ComparePrecedence("2024-03-01 08:30", "2024-03-01 08:31"), Precedence::kOurs);
}

TEST(PrecedenceOfDates, IsUnknownWhereTheyOverlapOrSayNothing) {
  EXPECT_EQ(ComparePrecedence("2024-03-01", "2024/3/1"), Precedence::kUnknown);
  EXPECT_EQ(ComparePrecedence("2024", "2024-03-01"), Precedence::kUnknown);
  EXPECT_EQ(ComparePrecedence("2024-03-31", "2024-03"), Precedence::kUnknown);
  EXPECT_EQ(ComparePrecedence("2024-03-01", "2024-03-01 23:59"), Precedence::kUnknown);
  EXPECT_EQ(ComparePrecedence("", "2024-03-01"), Precedence::kUnknown);
  EXPECT_EQ(ComparePrecedence("2024-03-01", "昨天"), Precedence::kUnknown);
}

// 2024-03-01T23:00Z is 07:00 of the second in Beijing.
TEST(PrecedenceOfDates, IsUnknownWhereAZoneThatIsNotSaidDecides) {
  EXPECT_EQ(ComparePrecedence("2024-03-01T23:00:00Z", "2024-03-02"), Precedence::kUnknown);
  EXPECT_EQ(ComparePrecedence("2024-03-02", "2024-03-01T23:00:00Z"), Precedence::kUnknown);
  EXPECT_EQ(ComparePrecedence("2024-03-01T09:00:00Z", "2024-03-02"), Precedence::kOurs);
  EXPECT_EQ(ComparePrecedence("2024-03-02", "2024-03-03T12:00:00Z"), Precedence::kOurs);
  EXPECT_EQ(ComparePrecedence("2024-03-02", "2024-03-03T11:00:00Z"), Precedence::kUnknown);
  EXPECT_EQ(ComparePrecedence("2024-03-01T23:00:00Z", "2024-03-02T08:00:00+08:00"),
            Precedence::kOurs);
}

TEST(PrecedenceOfDates, IsThatOfTheStrongestMatch) {
  CheckedText checked;
  checked.matches.resize(4);
  checked.matches[0].document.labels.date = "2024-03-01";
  checked.matches[0].document.work.first_publication = "2020";
  checked.matches[1].document.labels.date = "春天";
  checked.matches[1].document.work.first_publication = "2025-01-01";
  checked.matches[3].document.labels.date = "2024-03-02";
  // The day on which a document was added proves nothing.
  checked.matches[2].document.added = std::chrono::sys_days(std::chrono::year(2020) / 1 / 1);
  AddPrecedence("2024-03-02", checked);
  EXPECT_EQ(checked.precedence, Precedence::kOurs);
  EXPECT_EQ(checked.matches[0].precedence, Precedence::kOurs);
  EXPECT_EQ(checked.matches[0].date, "2024-03-01");
  EXPECT_EQ(checked.matches[0].date_origin, DateOrigin::kDocument);
  EXPECT_EQ(checked.matches[1].precedence, Precedence::kTheirs);
  EXPECT_EQ(checked.matches[1].date_origin, DateOrigin::kWork);
  EXPECT_EQ(checked.matches[2].precedence, Precedence::kUnknown);
  EXPECT_EQ(checked.matches[2].date_origin, DateOrigin::kNone);
  EXPECT_EQ(checked.matches[3].precedence, Precedence::kUnknown);
  checked.matches[1].relation = checked.verdict = Relation::kContains;
  AddPrecedence("2024-03-02", checked);
  EXPECT_EQ(checked.precedence, Precedence::kTheirs);
}

}  // namespace
}  // namespace zhiwen
