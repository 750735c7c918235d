#include "base/json/value_count.h"

#include <gtest/gtest.h>

#include <string>

namespace zhiwen {
namespace {

TEST(CountJsonValues, CountsWhatStandsBeforeValuesAndNames) {
  EXPECT_EQ(CountJsonValues(""), 0U);
  EXPECT_EQ(CountJsonValues("12"), 0U);
  EXPECT_EQ(CountJsonValues("[1, 2, 3]"), 3U);
  EXPECT_EQ(CountJsonValues(R"({"a": [], "b": {"c": null}})"), 7U);
}

TEST(CountJsonValues, PassesOverStrings) {
  EXPECT_EQ(CountJsonValues(R"(",,[[{{::")"), 0U);
  EXPECT_EQ(CountJsonValues(R"(["a,b\",c", "\\", ","])"), 3U);
  EXPECT_EQ(CountJsonValues(R"(["\\\\\"",1])"), 2U);
}

TEST(CountJsonValues, EndsWithAStringThatIsNotClosed) {
  EXPECT_EQ(CountJsonValues(R"(["a,,,)"), 1U);
  EXPECT_EQ(CountJsonValues("\""), 0U);
  EXPECT_EQ(CountJsonValues(R"(["\")"), 1U);
  EXPECT_EQ(CountJsonValues(std::string("[\"") + std::string(100, '\\')), 1U);
}

}  // namespace
}  // namespace zhiwen
