#include "document/csv_record.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace zhiwen {
namespace {

TEST(CsvSeparator, IsOneThatAloneSeparatesNamesOfWhichOneHasTheText) {
  const std::vector<std::string> fields = {"text"};
  EXPECT_EQ(FindSeparator("id;text\n", fields), ';');
  EXPECT_EQ(FindSeparator("id\ttext\n", fields), '\t');
  EXPECT_EQ(FindSeparator("id;body\n", fields), ',') << "no text";
  EXPECT_EQ(FindSeparator("id;text|more\n", fields), ',') << "two that may be meant";
  EXPECT_EQ(FindSeparator("text\n", fields), ',');
}

TEST(CsvSeparator, WhatStandsInQuotesSeparatesNothing) {
  const std::vector<std::string> fields = {"text"};
  EXPECT_EQ(FindSeparator("\"x,y\";text\n", fields), ';');
  EXPECT_EQ(FindSeparator("\"a;b\",\"say \"\"|\"\"\",text\n", fields), ',');
  EXPECT_EQ(OtherSeparator("\"x,y\";text", ','), ';');
  EXPECT_EQ(OtherSeparator("\"x;y\",text", ','), '\0');
}

}  // namespace
}  // namespace zhiwen
