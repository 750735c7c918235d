#include "pipeline/run_report/rerun_command.h"

#include <gtest/gtest.h>

namespace zhiwen {
namespace {

TEST(RerunCommand, QuotesOnlyWhatNeedsIt) {
  EXPECT_EQ(QuoteCommand({"zhiwen", "dedup", "语料/a.jsonl", "--keep", "longest, earliest(d)"}),
            "zhiwen dedup 语料/a.jsonl --keep 'longest, earliest(d)'");
  EXPECT_EQ(QuoteCommand({"", "it's", "$(rm)", "`x`"}), "'' 'it'\\''s' '$(rm)' '`x`'");
}

TEST(RerunCommand, SpellsWhatCannotBeSeen) {
  EXPECT_EQ(QuoteCommand({"a\nb"}), "$'a\\012b'");
  EXPECT_EQ(QuoteCommand({"\u202e'x"}), "$'\\342\\200\\256\\047x'");
  EXPECT_EQ(QuoteCommand({"\xff\\"}), "$'\\377\\134'");
}

}  // namespace
}  // namespace zhiwen
