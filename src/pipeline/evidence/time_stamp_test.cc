// Requests for time stamps are those of openssl, and what is no token or certificate is refused.
// tests/e2e/evidence_timestamp.sh has an authority.

#include "pipeline/evidence/time_stamp.h"

#include <gtest/gtest.h>

#include <string>

namespace zhiwen {
namespace {

// The SHA-256 of "hi\n".
constexpr std::string_view kHash =
    "98ea6e4f216f2fb4b69fff9b3a44842c38686ca685f3f55dc48c5d3fb1107be4";

TEST(TimeStamp, RequestIsTheOneOfOpenssl) {
  // openssl ts -query -data FILE -sha256 -no_nonce -cert
  constexpr unsigned char kRequest[] = {
      0x30, 0x39, 0x02, 0x01, 0x01, 0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01,
      0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04, 0x20, 0x98, 0xea, 0x6e, 0x4f, 0x21, 0x6f,
      0x2f, 0xb4, 0xb6, 0x9f, 0xff, 0x9b, 0x3a, 0x44, 0x84, 0x2c, 0x38, 0x68, 0x6c, 0xa6, 0x85,
      0xf3, 0xf5, 0x5d, 0xc4, 0x8c, 0x5d, 0x3f, 0xb1, 0x10, 0x7b, 0xe4, 0x01, 0x01, 0xff};
  const std::string expected(std::begin(kRequest), std::end(kRequest));
  const auto request = MakeTimeStampRequest(kHash);
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_EQ(*request, expected);
  EXPECT_TRUE(request->starts_with(kTimeStampRequestBeginning));
}

TEST(TimeStamp, IsNoneWhereTheBytesAreOthers) {
  const std::string request = MakeTimeStampRequest(kHash).value();
  for (const std::string& bytes : {std::string(), std::string("hi\n"), request}) {
    const auto token = TokenOfReply(bytes);
    ASSERT_FALSE(token);
    EXPECT_EQ(token.error().code, ErrorCode::kUnreadable);
    const auto check = CheckTimeStamp(bytes, kHash, "", std::nullopt);
    ASSERT_TRUE(check) << check.error().message;
    ASSERT_EQ(check->problems.size(), 1U);
    EXPECT_EQ(check->problems.front().fault, EvidenceFault::kMalformed);
  }
}

TEST(TimeStamp, CertificatesAreRefusedThatAreNone) {
  for (const char* const pem :
       {"", "hi\n", "-----BEGIN CERTIFICATE-----\naGkK\n-----END CERTIFICATE-----\n"}) {
    const auto certificates = CertificatesOf(pem);
    ASSERT_FALSE(certificates) << pem;
    EXPECT_EQ(certificates.error().code, ErrorCode::kUnreadable);
  }
}

}  // namespace
}  // namespace zhiwen
