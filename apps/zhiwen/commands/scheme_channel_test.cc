#include "commands/scheme_channel.h"

#include <gtest/gtest.h>

namespace zhiwen {
namespace {

TEST(SchemeChannel, IsAddedToNamesThatHaveNone) {
  EXPECT_EQ(*AddChannel("minhash", "exact.v1"), "minhash(channel=exact.v1)");
  EXPECT_EQ(*AddChannel("minhash()", "exact.v1"), "minhash(channel=exact.v1)");
  EXPECT_EQ(*AddChannel("minhash(k=5)", "folded.v1"), "minhash(channel=folded.v1,k=5)");
  EXPECT_FALSE(AddChannel("minhash(channel=folded)", "exact").has_value());
}

}  // namespace
}  // namespace zhiwen
