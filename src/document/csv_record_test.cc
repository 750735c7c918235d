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
  EXPECT_EQ(FindSeparator("id^text\n", fields), ',') << "seldom meant";
  const auto other = [&](std::string_view header) { return OtherSeparator(header, ',', fields); };
  EXPECT_EQ(other("\"x,y\";text"), ';');
  EXPECT_EQ(other("\"x;y\",body"), '\0');
  EXPECT_EQ(other("id;body|more|so"), '|');
  EXPECT_EQ(other("id;title, sub;text\n"), ';') << "it names the text";
  EXPECT_EQ(other("id;title, sub;body\n"), '\0');
  EXPECT_EQ(other("id^title, sub^text\n"), '^');
  EXPECT_EQ(other("id^title^body\n"), '^');
  EXPECT_EQ(other("some-body_text.x\n"), '\0');
}

}  // namespace
}  // namespace zhiwen
