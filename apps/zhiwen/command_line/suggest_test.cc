#include "command_line/suggest.h"

#include <gtest/gtest.h>

#include <vector>

namespace zhiwen {
namespace {

const std::vector<std::string> kNames = {"dedup", "compare", "fingerprint", "--threshold"};

TEST(Suggest, ASlipOfOneOrTwoLettersIsUnderstood) {
  EXPECT_EQ(SuggestName("dedpu", kNames), "dedup");
  EXPECT_EQ(SuggestName("dedupe", kNames), "dedup");
  EXPECT_EQ(SuggestName("comapre", kNames), "compare");
  EXPECT_EQ(SuggestName("--treshold", kNames), "--threshold");
}

TEST(Suggest, TheBeginningOfANameIsEnough) {
  EXPECT_EQ(SuggestName("finger", kNames), "fingerprint");
  const std::vector<std::string> alike = {"contained-in", "contains"};
  EXPECT_EQ(SuggestName("contain", alike), "contains");
  EXPECT_EQ(SuggestName("contained", alike), "contained-in");
}

TEST(Suggest, WhatResemblesNothingGetsNoSuggestion) {
  EXPECT_EQ(SuggestName("resume", kNames), std::nullopt);
  EXPECT_EQ(SuggestName("x", kNames), std::nullopt);
  EXPECT_EQ(SuggestName("", kNames), std::nullopt);
}

}  // namespace
}  // namespace zhiwen
