#include "base/base64.h"

#include <gtest/gtest.h>

namespace zhiwen {
namespace {

TEST(Base64, EncodesTheVectorsOfRfc4648) {
  EXPECT_EQ(EncodeBase64(""), "");
  EXPECT_EQ(EncodeBase64("f"), "Zg==");
  EXPECT_EQ(EncodeBase64("fo"), "Zm8=");
  EXPECT_EQ(EncodeBase64("foo"), "Zm9v");
  EXPECT_EQ(EncodeBase64("foob"), "Zm9vYg==");
  EXPECT_EQ(EncodeBase64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(EncodeBase64("foobar"), "Zm9vYmFy");
}

TEST(Base64, TakesBytesAboveAsciiAsUnsigned) { EXPECT_EQ(EncodeBase64("\xFF\xFE\xFD"), "//79"); }

}  // namespace
}  // namespace zhiwen
