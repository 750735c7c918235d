#include "base/digest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <string>

namespace zhiwen {
namespace {

template <typename Digest>
std::string Hex(const Digest& digest) {
  return fmt::format("{:02x}", fmt::join(digest, ""));
}

// Values from RFC 1321, A.5, and the two values of 熊忠阳 et al. 2013, §6.1, which are digests of
// GBK bytes.
TEST(Digest, Md5IsThatOfTheStandardAndOfTheSource) {
  EXPECT_EQ(Hex(ComputeMd5("")), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(Hex(ComputeMd5("message digest")), "f96b697d7cb7938d525a2f31aaf161d0");
  const std::string kinds = "MD5\xCB\xE3\xB7\xA8\xCA\xC7";  // MD5算法是
  const std::string rest = "\xD6\xD6\xB5\xA5\xCF\xEE\xBC\xD3\xC3\xDC\xCB\xE3\xB7\xA8";
  EXPECT_EQ(Hex(ComputeMd5(kinds + rest)), "ed489033c81daee44eea7c11b976c59a");
  EXPECT_EQ(Hex(ComputeMd5(kinds + "\xD2\xBB" + rest + "\r\n")),
            "71dd3618fba1388abc37510c8773c5fb");
}

// Values from FIPS 180-2, B.1, and RFC 4231, cases 1, 2 and 6.
TEST(Digest, Sha256IsThatOfTheStandards) {
  EXPECT_EQ(Hex(ComputeSha256("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Hex(ComputeHmacSha256(std::string(20, '\x0B'), "Hi There")),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(Hex(ComputeHmacSha256("Jefe", "what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(Hex(ComputeHmacSha256(std::string(131, '\xAA'),
                                  "Test Using Larger Than Block-Size Key - Hash Key First")),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

}  // namespace
}  // namespace zhiwen
