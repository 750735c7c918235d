#include "command_line/idle_options.h"

#include <gtest/gtest.h>

namespace zhiwen {
namespace {

DedupOptions WithReferences(ReferenceRule rule) {
  DedupOptions options;
  options.against = {"test.jsonl"};
  options.against_rule = rule;
  return options;
}

DedupOptions OfMode(DedupMode mode, DedupOptions options = {}) {
  options.mode = mode;
  return options;
}

// Returns the message, which is empty when no option is idle.
std::string Check(const std::set<std::string>& typed, const DedupOptions& options) {
  const Status status = CheckNoIdleOption(typed, options);
  if (status) return "";
  EXPECT_EQ(status.error().code, ErrorCode::kInvalidArgument);
  return status.error().message;
}

TEST(IdleOptions, AreThoseOfReferencesWithoutAReference) {
  for (const char* option : {"--against-rule", "--against-threshold", "--run", "--min-reference",
                             "--common-share", "--action"}) {
    EXPECT_TRUE(Check({option}, {}).starts_with(std::string(option) + " does nothing without"))
        << option;
  }
  EXPECT_EQ(Check({"--against-rule", "--against-threshold"}, WithReferences(ReferenceRule::kNear)),
            "");
}

TEST(IdleOptions, AreARunWithoutOverlapAndAThresholdWithIt) {
  for (const auto rule :
       {ReferenceRule::kNear, ReferenceRule::kContains, ReferenceRule::kContainedIn}) {
    EXPECT_TRUE(Check({"--run"}, WithReferences(rule)).starts_with("--run does nothing unless"));
  }
  const DedupOptions overlap = WithReferences(ReferenceRule::kOverlap);
  EXPECT_EQ(Check({"--run", "--threshold"}, overlap), "");
  EXPECT_TRUE(Check({"--against-threshold"}, overlap).starts_with("--against-threshold does"));
}

TEST(IdleOptions, AreALeastReferenceAndCommonShinglesUnlessARuleContains) {
  for (const char* option : {"--min-reference", "--common-share"}) {
    EXPECT_EQ(Check({option, "--action"}, WithReferences(ReferenceRule::kContains)), "");
    for (const auto rule :
         {ReferenceRule::kNear, ReferenceRule::kOverlap, ReferenceRule::kContainedIn}) {
      EXPECT_TRUE(Check({option}, WithReferences(rule))
                      .starts_with(std::string(option) + " does nothing unless"));
      EXPECT_EQ(Check({"--action"}, WithReferences(rule)), "");
    }
  }
}

TEST(IdleOptions, OfModeExactAreWhatFindsNearDuplicates) {
  const DedupOptions exact = OfMode(DedupMode::kExact);
  EXPECT_TRUE(Check({"--threshold"}, exact).starts_with("--threshold does nothing with --mode"));
  EXPECT_TRUE(Check({"--candidates"}, exact).starts_with("--candidates does nothing with --mode"));
  // The threshold applies to references.
  EXPECT_EQ(
      Check({"--threshold"}, OfMode(DedupMode::kExact, WithReferences(ReferenceRule::kContains))),
      "");
  EXPECT_NE(
      Check({"--threshold"}, OfMode(DedupMode::kExact, WithReferences(ReferenceRule::kOverlap))),
      "");
  EXPECT_EQ(Check({"--threshold", "--candidates"}, OfMode(DedupMode::kNear)), "");
  EXPECT_EQ(Check({"--threshold", "--candidates"}, OfMode(DedupMode::kContained)), "");
}

TEST(IdleOptions, OfModeExactIsTheChannelUnlessReferencesAreReadOnIt) {
  for (const char* option : {"--channel", "--variants"}) {
    EXPECT_EQ(Check({option}, OfMode(DedupMode::kExact)),
              std::string(option) +
                  " does nothing with --mode exact, which removes equal texts only; leave it out");
    EXPECT_EQ(Check({option}, OfMode(DedupMode::kExact, WithReferences(ReferenceRule::kNear))), "");
    EXPECT_EQ(Check({option}, OfMode(DedupMode::kNear)), "");
    EXPECT_EQ(Check({option}, OfMode(DedupMode::kContained)), "");
  }
}

TEST(IdleOptions, AreThoseOfBandsWhereNoBandsAre) {
  DedupOptions low = OfMode(DedupMode::kNear);
  low.threshold = 0.69;
  EXPECT_TRUE(Check({"--candidates"}, low).starts_with("--candidates does nothing below"));
  EXPECT_TRUE(Check({"--max-bucket-kept"}, low).starts_with("--max-bucket-kept does nothing"));
  low.threshold = 0.7;
  EXPECT_EQ(Check({"--candidates", "--max-bucket-kept"}, low), "");
  low.threshold = 0.6;
  low.candidates = CandidateSource::kExact;  // what is done all the same
  EXPECT_EQ(Check({"--candidates"}, low), "");
  low.mode = DedupMode::kContained;  // the threshold of a containment
  low.candidates = CandidateSource::kBands;
  EXPECT_EQ(Check({"--candidates"}, low), "");
  DedupOptions all_pairs = OfMode(DedupMode::kNear);
  all_pairs.candidates = CandidateSource::kExact;
  for (const DedupOptions& options :
       {all_pairs, OfMode(DedupMode::kExact), OfMode(DedupMode::kContained)}) {
    EXPECT_TRUE(Check({"--max-bucket-kept"}, options).starts_with("--max-bucket-kept does"));
  }
}

TEST(IdleOptions, AreOnlyThoseThatWereTyped) {
  EXPECT_EQ(Check({}, OfMode(DedupMode::kExact)), "");
  EXPECT_EQ(Check({"--output"}, {}), "");
}

}  // namespace
}  // namespace zhiwen
