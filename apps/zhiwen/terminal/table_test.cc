#include "terminal/table.h"

#include <gtest/gtest.h>

namespace zhiwen {
namespace {

TEST(Table, TablesAlignByDisplayWidth) {
  const std::vector<std::vector<std::string>> rows = {{"指纹", "1"}, {"a", "22", "x"}, {"b"}};
  EXPECT_EQ(FormatTable(rows), "指纹  1\na     22  x\nb\n");
}

TEST(Table, ANumberStaysWithWhatItCounts) {
  const std::vector<std::vector<std::string>> rows = {
      {"a", "12 symbols, 1,234 look-alike letters 5"}};
  EXPECT_EQ(FormatTable(rows, 20), "a  12 symbols,\n   1,234 look-alike\n   letters 5\n");
}

}  // namespace
}  // namespace zhiwen
